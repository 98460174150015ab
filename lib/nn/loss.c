#include "nn/loss.h"

#include <string.h>

#include "nn/split.h"

struct rows {
    const struct lnstab__loss *loss;
    const struct lnstab__run *run;
    const void *logits;
    const int32_t *targets;
    double weight; /* of each counted row in the gradient */
    void *out;
};

static const void *logits_of(const struct rows *r, size_t row) {
    return lnstab__at_const(r->run->kernels, r->logits, row * r->loss->classes);
}

static int counts(const struct rows *r, size_t row) {
    return r->targets[row] != r->loss->ignore_index;
}

/* A part's room gets its sum and how many it counted. */
static void forward_rows(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    const struct lnstab__kernels *k = r->run->kernels;
    double sum = 0, counted = 0;
    for (size_t i = span.first; i < span.last; ++i) {
        double own = 0;
        if (counts(r, i)) {
            own = k->cross_entropy(r->loss->classes, logits_of(r, i), (size_t)r->targets[i],
                                   r->loss->smoothing);
            counted += 1;
        }
        sum += own;
        k->from_double(1, &own, lnstab__at(k, r->out, i));
    }
    lnstab__part_room(r->run, span.part)[0] = sum;
    lnstab__part_room(r->run, span.part)[1] = counted;
}

double lnstab__loss_forward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                            const void *logits, const int32_t *targets, void *each,
                            int64_t *counted) {
    const struct rows r = {
        .loss = loss, .run = run, .logits = logits, .targets = targets, .out = each};
    const size_t parts = lnstab__split(run, run->rows, loss->classes, forward_rows, &r);
    double sum = 0, count = 0;
    for (size_t part = 0; part < parts; ++part) {
        sum += lnstab__part_room(run, part)[0];
        count += lnstab__part_room(run, part)[1];
    }
    *counted = (int64_t)count;
    return count > 0 ? sum / count : 0.0;
}

static void backward_rows(const void *argument, struct lnstab__span span) {
    const struct rows *r = argument;
    const struct lnstab__kernels *k = r->run->kernels;
    for (size_t i = span.first; i < span.last; ++i) {
        void *row = lnstab__at(k, r->out, i * r->loss->classes);
        if (counts(r, i)) {
            k->cross_entropy_gradient(r->loss->classes, logits_of(r, i), (size_t)r->targets[i],
                                      r->loss->smoothing, r->weight, row);
        } else {
            memset(row, 0, r->loss->classes * k->size);
        }
    }
}

void lnstab__loss_backward(const struct lnstab__loss *loss, const struct lnstab__run *run,
                           const void *logits, const int32_t *targets, int64_t counted, void *out) {
    const struct rows r = {.loss = loss,
                           .run = run,
                           .logits = logits,
                           .targets = targets,
                           .weight = counted ? 1.0 / (double)counted : 0.0,
                           .out = out};
    lnstab__split(run, run->rows, loss->classes, backward_rows, &r);
}
