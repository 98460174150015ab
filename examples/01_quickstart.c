/* The gradient of a 12-layer decoder at initialisation, for three placements of its norms.
 * Build: cc 01_quickstart.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   placement=post  loss 3.7006  grad_norm 53.8127
 *   placement=pre   loss 2.7741  grad_norm 23.0137
 *   placement=peri  loss 2.8193  grad_norm 25.2528
 */
#include <lnstab.h>
#include <stdio.h>

int main(void) {
    static const char *const placements[] = {"placement=post", "placement=pre", "placement=peri"};
    static const int32_t text[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5}; /* each token predicts the next */
    int failed = 0;
    for (int i = 0; i < 3 && !failed; ++i) {
        lnstab_config *c = NULL;
        lnstab_model *m = NULL;
        double loss, norm;
        failed = lnstab_config_create(NULL, NULL, NULL, &c) ||
                 lnstab_config_set(c, "layers=12 width=256 heads=8 vocab=10 causal=1 "
                                      "dtype=float64") ||
                 lnstab_config_set(c, placements[i]) || lnstab_model_create(c, &m) ||
                 lnstab_model_init(m, 1) || lnstab_model_forward(m, 1, 8, text, NULL) ||
                 lnstab_model_loss(m, text + 1, &loss, NULL) || lnstab_model_backward(m, NULL) ||
                 lnstab_model_health(m, "gradients", &norm, NULL, NULL, NULL, NULL);
        if (failed) {
            puts(m ? lnstab_model_message(m) : lnstab_config_message(c));
        } else {
            printf("%-14s  loss %.4f  grad_norm %.4f\n", placements[i], loss, norm);
        }
        lnstab_model_destroy(m);
        lnstab_config_destroy(c);
    }
    return failed;
}
