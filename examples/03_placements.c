/* Every placement that the library knows, 12 layers deep, at initialisation.
 * Build: cc 03_placements.c $(pkg-config --cflags --libs lnstab) -lm
 * Output:
 *   placement    last state's   gradient   layer 1's
 *                rms            norm       over 12's
 *   none              255.389  71493.416       6.548
 *   post                1.000     53.813       1.658
 *   pre                 3.822     23.014       3.187
 *   peri                5.061     25.253       3.840
 *   output-norm         4.983     52.641       8.540
 *   deepnorm            1.000      7.901       1.001
 *   ln-scaling          1.932     13.230       5.128
 *   mix                 2.905     50.432       3.426
 *   custom            255.389  71493.416       6.548
 *   post and deepnorm hold the state's size; deepnorm alone has like gradients in layers
 *   1 and 12; custom, until it is given keys, is none
 */
#include <lnstab.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOKENS = 8, WIDTH = 256 };

static double square_sum(const double *x, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
        sum += x[i] * x[i];
    }
    return sum;
}

/* The norm of the gradient of all parameters whose names start as told: "layer.1.". */
static double gradient_norm(lnstab_model *m, const char *start) {
    double sum = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(m, i);
        int64_t count = 1;
        if (strcmp(lnstab_tensor_role(t), "parameter") != 0 ||
            strncmp(lnstab_tensor_name(t), start, strlen(start)) != 0) {
            continue;
        }
        for (int32_t axis = 0; axis < lnstab_tensor_rank(t); ++axis) {
            count *= lnstab_tensor_size(t, axis);
        }
        sum += square_sum(lnstab_tensor_grad(t), count);
    }
    return sqrt(sum);
}

static int run(const char *placement) {
    static const int32_t text[TOKENS + 1] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
    char words[64];
    double loss, norm;
    lnstab_config *c = NULL;
    lnstab_model *m = NULL;
    snprintf(words, sizeof words, "placement=%s", placement);
    int failed = lnstab_config_create(NULL, NULL, NULL, &c) ||
                 lnstab_config_set(c, "layers=12 width=256 heads=8 vocab=10 causal=1 dtype=float64 "
                                      "keep_states=1") ||
                 lnstab_config_set(c, words) || lnstab_model_create(c, &m) ||
                 lnstab_model_init(m, 1) || lnstab_model_forward(m, 1, TOKENS, text, NULL) ||
                 lnstab_model_loss(m, text + 1, &loss, NULL) || lnstab_model_backward(m, NULL) ||
                 lnstab_model_health(m, "gradients", &norm, NULL, NULL, NULL, NULL);
    if (failed) {
        fprintf(stderr, "%s\n", m ? lnstab_model_message(m) : lnstab_config_message(c));
    } else {
        const double *last = lnstab_tensor_data(lnstab_model_tensor(m, "layer.12.ffn.out"));
        printf("%-11s  %12.3f  %9.3f  %10.3f\n", placement,
               sqrt(square_sum(last, TOKENS * WIDTH) / (TOKENS * WIDTH)), norm,
               gradient_norm(m, "layer.1.") / gradient_norm(m, "layer.12."));
    }
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    return failed;
}

int main(void) {
    int failed = 0;
    printf("placement    last state's   gradient   layer 1's\n"
           "             rms            norm       over 12's\n");
    for (int32_t i = 0; i < lnstab_table_count("placements") && !failed; ++i) {
        failed = run(lnstab_table_text("placements", i, "name"));
    }
    if (!failed) {
        puts(
            "post and deepnorm hold the state's size; deepnorm alone has like gradients in layers\n"
            "1 and 12; custom, until it is given keys, is none");
    }
    return failed;
}
