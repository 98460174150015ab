/* Template: exp and the normal tail for rows of float64: the C library's, since float64 is what the rest is
 * measured by. */

/* Beyond it e^x is infinite, and e^-x 0. */
#define row_exp_limit 750.0
/* Beyond it Phi(-u) is 0. */
#define row_tail_limit 64.0

lanes_inline lanes row_exp(lanes x) {
    return lanes_map(exp, x);
}

/* e^(-u^2/2) */
lanes_inline lanes row_bell(lanes u) {
    return row_exp(-0.5 * u * u);
}

/* Phi(-u), u >= 0 */
lanes_inline lanes row_tail(lanes u, lanes bell) {
    (void)bell;
    return 0.5 * lanes_map(erfc, u * 0.70710678118654752440);
}
