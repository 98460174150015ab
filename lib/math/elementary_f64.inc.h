/* Template: exp and the normal tail for rows of float64: the C library's, since float64 is what the rest is
 * measured by. */

/* Beyond it e^x is infinite, and e^-x 0. */
#define row_exp_limit 750.0

lanes_inline lanes row_exp(lanes x) {
    return lanes_map(exp, x);
}

/* Phi(-u), u >= 0 */
lanes_inline lanes row_tail(lanes u, lanes exponential) {
    (void)exponential;
    return 0.5 * lanes_map(erfc, u * 0.70710678118654752440);
}
