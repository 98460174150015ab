/* A host's weights, loss and gradient in a model, and a norm on the host's rows with gaps between.
 * Build: cc 06_host_tensors.c $(pkg-config --cflags --libs lnstab)
 * Output:
 *   step   0  loss 23.8618
 *   step  50  loss 14.7108
 *   step 100  loss 13.5955
 *   1 x  ||J||_2 1.6481  ||J||_F 4.0370  y J dy 0.0000
 *   2 x  ||J||_2 0.8241  ||J||_F 2.0185  y J dy 0.0000
 *   4 x  ||J||_2 0.4120  ||J||_F 1.0093  y J dy 0.0000
 *   8 x  ||J||_2 0.2060  ||J||_F 0.5046  y J dy 0.0000
 *   a row twice as long has half the Jacobian, and no gradient along itself
 */
#include <lnstab.h>
#include <stdio.h>

enum { ROWS = 4, WIDTH = 8, STRIDE = 10, IN_W_2 = WIDTH * WIDTH, IN_ROWS = ROWS * WIDTH };

/* The host's loss, ||output - wanted||^2/2, and its gradient. */
static double distance(const float *output, const float *wanted, float *gradient) {
    double sum = 0;
    for (int i = 0; i < IN_ROWS; ++i) {
        gradient[i] = output[i] - wanted[i];
        sum += 0.5 * (double)gradient[i] * (double)gradient[i];
    }
    return sum;
}

/* Gradient descent from the host's w_2, in the model's own memory. */
static int train(lnstab_model *m, const float *w_2, const float *x, const float *wanted) {
    static const char name[] = "layer.2.ffn.w_2";
    float dout[IN_ROWS];
    if (lnstab_model_init(m, 1) || lnstab_model_set_tensor(m, name, w_2, LNSTAB_FLOAT32, IN_W_2)) {
        return 1;
    }
    float *w = lnstab_tensor_data(lnstab_model_tensor(m, name));
    const float *dw = lnstab_tensor_grad(lnstab_model_tensor(m, name));
    for (int step = 0; step <= 100; ++step) {
        if (lnstab_model_zero_grads(m) || lnstab_model_forward_embedded(m, 1, ROWS, x, NULL)) {
            return 1;
        }
        double loss = distance(lnstab_tensor_data(lnstab_model_tensor(m, "output")), wanted, dout);
        if (step % 50 == 0) {
            printf("step %3d  loss %.4f\n", step, loss);
        }
        if (lnstab_model_backward(m, dout)) {
            return 1;
        }
        for (int i = 0; i < IN_W_2; ++i) {
            w[i] -= 0.05F * dw[i];
        }
    }
    return 0;
}

/* J is the norm's Jacobian at a row; y J dy is 0, as J has no part along the row. */
static int normalise(lnstab_norm *n, const float *x, const float *dy) {
    float y[IN_ROWS], dx[IN_ROWS];
    double spectral[ROWS], frobenius[ROWS];
    if (lnstab_norm_forward(n, ROWS, x, STRIDE, y, WIDTH) ||
        lnstab_norm_backward(n, ROWS, x, STRIDE, dy, WIDTH, dx, WIDTH, NULL, NULL) ||
        lnstab_norm_jacobian(n, ROWS, x, STRIDE, NULL, spectral, frobenius, NULL)) {
        return 1;
    }
    for (int i = 0; i < ROWS; ++i) {
        double along = 0;
        for (int j = i * WIDTH; j < (i + 1) * WIDTH; ++j) {
            along += (double)y[j] * (double)dx[j];
        }
        printf("%d x  ||J||_2 %.4f  ||J||_F %.4f  y J dy %.4f\n", 1 << i, spectral[i], frobenius[i],
               along);
    }
    printf("a row twice as long has half the Jacobian, and no gradient along itself\n");
    return 0;
}

int main(void) {
    double drawn[IN_W_2 + 2 * IN_ROWS];
    float host[IN_W_2 + 2 * IN_ROWS], rows[ROWS * STRIDE] = {0};
    const float *w_2 = host, *x = w_2 + IN_W_2, *wanted = x + IN_ROWS;
    lnstab_config *c = NULL;
    lnstab_model *m = NULL;
    lnstab_norm *n = NULL;
    int failed = lnstab_random_normal(1, 0, 0, IN_W_2 + 2 * IN_ROWS, drawn) ||
                 lnstab_config_create(NULL, NULL, NULL, &c) ||
                 lnstab_config_set(c, "placement=pre layers=2 width=8 ffn_width=8 heads=2 eps=0 "
                                      "input=embedded head=none dtype=float32") ||
                 lnstab_model_create(c, &m) || lnstab_norm_create(c, &n);
    for (int i = 0; i < IN_W_2 + 2 * IN_ROWS && !failed; ++i) {
        host[i] = 0.5F * (float)drawn[i];
    }
    for (int i = 0; i < IN_ROWS && !failed; ++i) {
        /* The first row times 1, 2, 4, 8. */
        rows[i / WIDTH * STRIDE + i % WIDTH] = (float)(1 << i / WIDTH) * x[i % WIDTH];
    }
    if (failed) {
        fprintf(stderr, "%s\n", lnstab_config_message(c));
    } else if ((failed = train(m, w_2, x, wanted))) {
        fprintf(stderr, "%s\n", lnstab_model_message(m));
    } else if ((failed = normalise(n, rows, wanted))) {
        fprintf(stderr, "%s\n", lnstab_norm_message(n));
    }
    lnstab_norm_destroy(n);
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    return failed;
}
