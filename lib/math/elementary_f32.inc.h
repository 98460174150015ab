/* Template: exp and the normal tail for rows of float32, in double, to 2.5e-9 of the value: a float32 is then
 * within 0.55 ulp. No branch and no call. */

/* What row_exp takes at most. */
#define row_exp_limit 700.0
/* Beyond it Phi(-u) and Phi's slope are no float32. */
#define row_tail_limit 37.0

lanes_inline lanes horner(lanes p, lanes t, double next) {
    return lanes_fused(p, t, lanes_of(next));
}

/* e^x = 2^n e^r, n = round(x/ln 2), for |x| <= row_exp_limit. Of the polynomials that are 1 at 0, that of least
 * relative error on |r| <= ln 2/2: 4.7e-11. Adding 1.5 2^52 rounds, and leaves n in the low bits. */
lanes_inline lanes exp_within(lanes x) {
    const double round = 0x1.8p52, ln_2 = 0.69314718055994530942, per_ln_2 = 1.4426950408889634074;
    const lanes shifted = lanes_fused(x, lanes_of(per_ln_2), lanes_of(round));
    const lanes r = lanes_fused(round - shifted, lanes_of(ln_2), x);
    lanes p = horner(lanes_of(0.00019767657988388086), r, 0.0013945909174755073);
    p = horner(p, r, 0.00833356899117366);
    p = horner(p, r, 0.04166627239409077);
    p = horner(p, r, 0.1666666516290286);
    p = horner(p, r, 0.5000000077192335);
    p = horner(p, r, 1.0000000002087617);
    p = horner(p, r, 1.0);
    return lanes_times_power(p, shifted);
}

/* Below -row_exp_limit it stays what it is there, which no float32 is. */
lanes_inline lanes row_exp(lanes x) {
    return exp_within(lanes_larger(lanes_of(-row_exp_limit), x));
}

/* e^(-u^2/2), |u| <= row_tail_limit */
lanes_inline lanes row_bell(lanes u) {
    return exp_within(-0.5 * u * u);
}

/* Phi(-u) = e^(-u^2/2) erfcx(x)/2, x = u/sqrt 2, for 0 <= u <= row_tail_limit, given that exponential. With
 * t = (x - 3)/(x + 3), (1 + 2x) erfcx(x)/2 is the polynomial in t to 2.5e-9 for every x. */
lanes_inline lanes row_tail(lanes u, lanes bell) {
    const double root_two = 1.41421356237309504880;
    const lanes beyond = u + 3.0 * root_two,
                slant = lanes_fused(u, lanes_of(root_two), lanes_of(1.0));
    const lanes inverse = 1.0 / (beyond * slant);
    const lanes t = (u - 3.0 * root_two) * slant * inverse;
    lanes p = horner(lanes_of(1.9458766859760694e-06), t, 3.860206966219214e-05);
    p = horner(p, t, -5.211059130198886e-05);
    p = horner(p, t, -0.00036308040050546104);
    p = horner(p, t, 0.0009441078534907085);
    p = horner(p, t, 0.001249411305611989);
    p = horner(p, t, -0.011885194357259094);
    p = horner(p, t, 0.034158348647228776);
    p = horner(p, t, -0.05963683921540342);
    p = horner(p, t, 0.06482204551247377);
    p = horner(p, t, -0.023781146913884978);
    p = horner(p, t, -0.06781053411034664);
    p = horner(p, t, 0.6265040291348651);
    return bell * p * beyond * inverse;
}
