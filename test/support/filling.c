#include "support/filling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZES                                                                                      \
    "layers=2 width=8 ffn_width=8 max_batch=2 max_tokens=4 input=embedded dtype=float64 bias=1 "   \
    "keep_states=2 krylov=16 eps=0 "

const char *const met_placements[MET_PLACEMENTS] = {
    "placement=pre",
    "placement=peri beta=0.3",
    "placement=post",
    "placement=output-norm",
    "placement=none kappa=0.5 beta=0.5",
    "placement=custom norm_in=1 alpha=1.5 beta=0.5 kappa=2 layer.2.norm_res=1",
    "placement=ln-scaling embed_norm=1"};

double sign(int i) {
    return i % 2 ? -1 : 1;
}

double zero(int i, int j, int w) {
    return (void)i, (void)j, (void)w, 0;
}

double one(int i, int j, int w) {
    return (void)i, (void)j, (void)w, 1;
}

double ten(int i, int j, int w) {
    return (void)i, (void)j, (void)w, 10;
}

double identity(int i, int j, int w) {
    return (void)w, i == j;
}

double signs(int i, int j, int w) { /* a vector's, or a diagonal's */
    return (void)w, j == i || j < 0 ? sign(i) : 0;
}

static int ends_with(const char *name, const char *suffix) {
    const size_t n = strlen(name), k = strlen(suffix);
    return n >= k && strcmp(name + n - k, suffix) == 0;
}

void fill(lnstab_model *m, int heads, const struct filling *rows, int count) {
    for (int32_t t = 0; t < lnstab_model_tensor_count(m); ++t) {
        const lnstab_tensor *at = lnstab_model_tensor_at(m, t);
        const int columns = lnstab_tensor_rank(at) == 2 ? (int)lnstab_tensor_size(at, 1) : 0;
        double *x = lnstab_tensor_data(at);
        for (int i = 0; lnstab_tensor_role(at)[0] == 'p' && i < count; ++i) {
            for (int j = 0;
                 ends_with(lnstab_tensor_name(at), rows[i].suffix) && j < (int)tensor_count(at);
                 ++j) {
                x[j] = columns ? rows[i].entry(j / columns, j % columns, WIDTH / heads)
                               : rows[i].entry(j, -1, WIDTH / heads);
            }
        }
    }
}

lnstab_model *design(const char *words) {
    char all[500];
    snprintf(all, sizeof all, SIZES "%s", words);
    return new_model(all);
}

double share_of(lnstab_model *m, const char *claim, const char *place, int k) {
    char arguments[40];
    double stated, measured;
    snprintf(arguments, sizeof arguments, "%s=%d", place, k);
    ck_good(lnstab_model_message(m), lnstab_claim_measure(m, claim, arguments, &stated, &measured));
    return measured / stated;
}

void assert_met(lnstab_model *m, const char *claim, int last, double tolerance) {
    for (int k = 1; k <= last; ++k) {
        const double share = share_of(m, claim, "sublayer", k);
        ck_assert_msg(fabs(share - 1) <= tolerance, "%s %d is met by %.17g", claim, k, share);
    }
}

void forward(lnstab_model *m, int B, int T, const double *x, const uint8_t *keep) {
    ck_good(lnstab_model_message(m), lnstab_model_forward_embedded(m, B, T, x, keep));
}

void forward_signs(lnstab_model *m, int B, double a) {
    double x[2 * WIDTH];
    for (int i = 0; i < WIDTH; ++i) {
        x[i] = a * sign(i);
        x[i + WIDTH] = -a * sign(i);
    }
    forward(m, B, 1, x, NULL);
}
