/* Template: the table of one element type, over the templates included before it. */

static void gemm(int transpose_a, int transpose_b, size_t m, size_t n, size_t k, double alpha,
                 const void *a, size_t lda, const void *b, size_t ldb, double beta, void *c,
                 size_t ldc) {
    real_gemm(transpose_a, transpose_b, m, n, k, (real)alpha, a, lda, b, ldb, (real)beta, c, ldc);
}

const struct lnstab__kernels real_kernels = {
    .dtype = real_dtype,
    .size = sizeof(real),
    .affine = &real_kernels,
    .gemm = gemm,
    .from_double = from_double,
    .to_double = to_double,
    .scale = scale,
    .add_scaled = add_scaled,
    .repeat_row = repeat_row,
    .column_sums = column_sums,
    .add_doubles = add_doubles,
    .activate = activate,
    .activate_vjp = activate_vjp,
    .activate_jvp = activate_jvp,
    .rotate = rotate,
    .norm_jacobian = norm_jacobian,
    .norm_forward = norm_forward,
    .norm_backward = norm_backward,
    .norm_jvp = norm_jvp,
    .soft_cap = soft_cap,
    .soft_cap_jacobian = soft_cap_jacobian,
    .softmax = softmax,
    .softmax_jacobian = softmax_jacobian,
    .cross_entropy = cross_entropy,
    .cross_entropy_gradient = cross_entropy_gradient,
    .health = health,
    .scaled_square = scaled_square,
};
