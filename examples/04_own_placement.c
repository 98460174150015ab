/* A placement of one's own, by keys: the mean square q of its states hardly depends on the depth.
 * Build: cc 04_own_placement.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   layer.1.attn  "alpha": 1, "beta": 0.25, "gain_qk": 0, "gain_v": 1, "gain_o": 1
 *   layer.4.attn  "alpha": 1, "beta": 0.25, "gain_qk": 0, "gain_v": 1, "gain_o": 1
 *   layer.1.ffn  "alpha": 1, "beta": 0.176775, "gain_w1": 1, "gain_w2": 1.4142
 *   layer.4.ffn  "alpha": 1, "beta": 0.35355, "gain_w1": 1, "gain_w2": 1.4142
 *   L =  4  q 1.5791  predicted 1.5625
 *   L = 16  q 1.5229  predicted 1.5156
 *   L = 48  q 1.4922  predicted 1.5052
 */
#include <lnstab.h>
#include <stdio.h>
#include <string.h>

enum { TOKENS = 8, WIDTH = 128, MODELS = 8 };

/* Prints the factors of a sublayer, from the description of what the keys build. */
static void show(const char *json, const char *sublayer) {
    const char *row = strstr(json, sublayer), *factors = row ? strstr(row, "\"alpha\"") : NULL;
    if (factors) {
        printf("%s  %.*s\n", sublayer, (int)strcspn(factors, "}"), factors);
    }
}

/* q = ||x||^2/d of the last state, the mean over models and tokens. */
static int measure(lnstab_model *m, const char *state, double *q) {
    double x[TOKENS * WIDTH];
    *q = 0;
    for (uint64_t seed = 1; seed <= MODELS; ++seed) {
        if (lnstab_random_normal(seed, 0, 0, TOKENS * WIDTH, x) || lnstab_model_init(m, seed) ||
            lnstab_model_forward_embedded(m, 1, TOKENS, x, NULL)) {
            return fprintf(stderr, "%s\n", lnstab_model_message(m)), 1;
        }
        const double *last = lnstab_tensor_data(lnstab_model_tensor(m, state));
        for (int i = 0; i < TOKENS * WIDTH; ++i) {
            *q += last[i] * last[i] / (TOKENS * WIDTH * MODELS);
        }
    }
    return 0;
}

static int row(lnstab_config *c, int layers) {
    char state[32], arguments[32];
    double measured, predicted;
    lnstab_model *m = NULL;
    snprintf(state, sizeof state, "layer.%d.ffn.out", layers);
    snprintf(arguments, sizeof arguments, "layer=%d tokens=%d", layers, TOKENS);
    if (lnstab_config_set_i64(c, "layers", layers) ||
        lnstab_claim_predict(c, "meanfield.q", arguments, &predicted) ||
        lnstab_model_create(c, &m)) {
        return fprintf(stderr, "%s\n", lnstab_config_message(c)), 1;
    }
    int failed = measure(m, state, &measured);
    if (!failed) {
        printf("L = %2d  q %.4f  predicted %.4f\n", layers, measured, predicted);
    }
    lnstab_model_destroy(m);
    return failed;
}

int main(void) {
    static const char own[] = "placement=custom norm_in=1 final_norm=1 alpha=1\n"
                              "attn.norm_out=1               # the average of tokens is short\n"
                              "attn.beta=0.5*L^-0.5          # L equal steps, in all 1/4\n"
                              "ffn.gain_w2=1.4142            # ReLU halves the square\n"
                              "ffn.beta=0.7071*L^-1*l^0.5    # growing steps, in all 1/4\n";
    char json[16384];
    lnstab_config *c = NULL;
    int failed = lnstab_config_create(NULL, NULL, NULL, &c) ||
                 lnstab_config_set(c, "layers=4 width=128 ffn_width=128 gain_qk=0 input=embedded "
                                      "head=none dtype=float64 gradients=0 keep_states=1") ||
                 lnstab_config_set(c, own) || lnstab_config_describe(c, json, sizeof json, NULL);
    if (failed) {
        fprintf(stderr, "%s\n", lnstab_config_message(c));
    } else {
        show(json, "layer.1.attn");
        show(json, "layer.4.attn");
        show(json, "layer.1.ffn");
        show(json, "layer.4.ffn");
        failed = row(c, 4) || row(c, 16) || row(c, 48);
    }
    lnstab_config_destroy(c);
    return failed;
}
