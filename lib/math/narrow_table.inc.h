/* Template: the table of a format of 16 bits, over the templates included before it. */

const struct lnstab__kernels narrow_kernels = {
    .dtype = narrow_dtype,
    .size = sizeof(element),
    .affine = &lnstab__kernels_f32,
    .from_double = from_double,
    .to_double = to_double,
    .norm_jacobian = norm_jacobian,
    .norm_forward = norm_forward,
    .norm_backward = norm_backward,
    .norm_jvp = norm_jvp,
};
