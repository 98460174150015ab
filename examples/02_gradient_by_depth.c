/* The gradient of the last FFN matrix against depth, in the setting of Xiong 2020.
 * Build: cc 02_gradient_by_depth.c $(pkg-config --cflags --libs lnstab) -lm
 * Output:
 *    L  post: measured  predicted  bound  pre: measured  predicted  bound
 *    1     6.575      6.532   1437     6.326      6.276   1437
 *    2     6.478      6.532   1437     5.166      5.144   1245
 *    4     6.517      6.532   1437     3.846      3.819   1016
 *    6     6.669      6.532   1437     3.149      3.100    880
 *   12     6.523      6.532   1437     2.160      2.120    665
 *   24     6.400      6.532   1437     1.403      1.446    488
 *   post is flat, pre falls, both as predicted; the bound is 200 to 350 times as large
 */
#include <lnstab.h>
#include <math.h>
#include <stdio.h>

enum { TOKENS = 8, WIDTH = 128, MODELS = 16 };

/* The Frobenius norm of a tensor's gradient. */
static double gradient_norm(const lnstab_tensor *t) {
    const double *g = lnstab_tensor_grad(t);
    int64_t count = 1;
    double sum = 0;
    for (int32_t axis = 0; axis < lnstab_tensor_rank(t); ++axis) {
        count *= lnstab_tensor_size(t, axis);
    }
    for (int64_t i = 0; i < count; ++i) {
        sum += g[i] * g[i];
    }
    return sqrt(sum);
}

/* The mean over models of ||dL_i/dW_2,L||/||g_i||, with L_i the loss of one token and g_i its
 * gradient at the output. */
static int measure(lnstab_model *m, int layers, double *mean) {
    double x[TOKENS * WIDTH], loss;
    int32_t target[TOKENS] = {7}; /* of the first token; the others are not counted */
    char w_2[32];
    snprintf(w_2, sizeof w_2, "layer.%d.ffn.w_2", layers);
    for (int i = 1; i < TOKENS; ++i) {
        target[i] = -100;
    }
    *mean = 0;
    for (uint64_t seed = 1; seed <= MODELS; ++seed) {
        if (lnstab_random_normal(seed, 0, 0, TOKENS * WIDTH, x) || lnstab_model_init(m, seed) ||
            lnstab_model_zero_grads(m) || lnstab_model_forward_embedded(m, 1, TOKENS, x, NULL) ||
            lnstab_model_loss(m, target, &loss, NULL) || lnstab_model_backward(m, NULL)) {
            return fprintf(stderr, "%s\n", lnstab_model_message(m)), 1;
        }
        *mean += gradient_norm(lnstab_model_tensor(m, w_2)) /
                 gradient_norm(lnstab_model_tensor(m, "output")) / MODELS;
    }
    return 0;
}

/* Prints what is measured, what mean field predicts, and the bound of Theorem 1. */
static int cells(lnstab_config *c, const char *placement, int layers) {
    lnstab_model *m = NULL;
    double measured, predicted, bound;
    if (lnstab_config_set(c, placement) || lnstab_config_set_i64(c, "layers", layers) ||
        lnstab_claim_predict(c, "rankone.w_2", "tokens=8", &predicted) ||
        lnstab_claim_predict(c, "theorem1.printed", "tokens=1", &bound) ||
        lnstab_model_create(c, &m)) {
        return fprintf(stderr, "%s\n", lnstab_config_message(c)), 1;
    }
    int failed = measure(m, layers, &measured);
    if (!failed) {
        printf("  %8.3f  %9.3f  %5.0f", measured, predicted, bound);
    }
    lnstab_model_destroy(m);
    return failed;
}

int main(void) {
    static const int depths[] = {1, 2, 4, 6, 12, 24};
    lnstab_config *c = NULL;
    if (lnstab_config_create(NULL, NULL, NULL, &c) ||
        lnstab_config_set(c, "heads=1 bias=0 out_proj=0 gain_qk=0 causal=0 eps=0 input=embedded "
                             "width=128 ffn_width=128 dtype=float64 keep_states=2")) {
        fprintf(stderr, "%s\n", lnstab_config_message(c));
        lnstab_config_destroy(c);
        return 1;
    }
    printf(" L  post: measured  predicted  bound  pre: measured  predicted  bound\n");
    int failed = 0;
    for (int i = 0; i < 6 && !failed; ++i) {
        printf("%2d", depths[i]);
        failed = cells(c, "placement=post", depths[i]) || cells(c, "placement=pre", depths[i]);
        printf("\n");
    }
    if (!failed) {
        puts("post is flat, pre falls, both as predicted; the bound is 200 to 350 times as large");
    }
    lnstab_config_destroy(c);
    return failed;
}
