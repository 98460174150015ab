#include "model/sublayer.h"

#include "nn/split.h"

void lnstab__sublayer_forward(const struct lnstab__sublayer *s, const struct lnstab__run *run) {
    const void *x = s->in.data;
    void *f_out_room = s->f_out.data ? s->f_out.data : run->work->f_out;
    const void *f_in = lnstab__norm_op_forward(&s->norm_in, run, x, s->f_in.data);
    s->f->forward(&s->of, run, f_in, s->branch.data);
    const void *f_out = lnstab__norm_op_forward(&s->norm_out, run, s->branch.data, f_out_room);
    lnstab__split_add_scaled(run, run->rows, s->norm_in.width, s->alpha, x, s->beta, f_out,
                             s->sum.data);
    lnstab__norm_op_forward(&s->norm_res, run, s->sum.data, s->out.data);
}

void lnstab__sublayer_remake(const struct lnstab__sublayer *s, const struct lnstab__run *run) {
    lnstab__norm_op_forward(&s->norm_in, run, s->in.data, s->f_in.data);
    s->f->remake(&s->of, run);
}

void lnstab__sublayer_backward(const struct lnstab__sublayer *s, const struct lnstab__run *run,
                               const void *d_out, void *d_in) {
    const struct lnstab__workspace *work = run->work;
    const size_t width = s->norm_in.width;
    void *d_f_out = lnstab__gradient_of(run, &s->f_out, work->f_out);
    void *d_f_in = d_in ? lnstab__gradient_of(run, &s->f_in, work->f_in) : NULL;
    const void *d_sum = lnstab__norm_op_backward(&s->norm_res, run, s->sum.data, d_out,
                                                 lnstab__gradient_of(run, &s->sum, work->sum));
    lnstab__split_scale(run, run->rows, width, s->beta, d_sum, d_f_out);
    const void *d_branch =
        lnstab__norm_op_backward(&s->norm_out, run, s->branch.data, d_f_out,
                                 lnstab__gradient_of(run, &s->branch, work->branch));
    s->f->backward(&s->of, run, s->f_in.data, d_branch, d_f_in);
    if (!d_in) {
        return;
    }
    const void *d_x = lnstab__norm_op_backward(&s->norm_in, run, s->in.data, d_f_in, d_in);
    lnstab__split_add_scaled(run, run->rows, width, s->alpha, d_sum, 1.0, d_x, d_in);
}

void lnstab__sublayer_jvp(const struct lnstab__sublayer *s, const struct lnstab__run *run,
                          const void *t_in, void *t_out) {
    const struct lnstab__workspace *work = run->work;
    const void *t_f_in = lnstab__norm_op_jvp(&s->norm_in, run, s->in.data, t_in, work->f_in);
    s->f->jvp(&s->of, run, t_f_in, work->branch);
    const void *t_f_out =
        lnstab__norm_op_jvp(&s->norm_out, run, s->branch.data, work->branch, work->f_out);
    lnstab__split_add_scaled(run, run->rows, s->norm_in.width, s->alpha, t_in, s->beta, t_f_out,
                             t_out);
    lnstab__norm_op_jvp(&s->norm_res, run, s->sum.data, t_out, t_out);
}
