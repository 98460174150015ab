/* Template: exp and the normal tail for rows of float32, in double, to 2.5e-9 of the value: a float32 is then
 * within 0.55 ulp. No branch and no call. */

/* What row_exp takes at most. */
#define row_exp_limit 700.0

lanes_inline lanes horner(lanes p, lanes t, double next) {
    return lanes_fused(p, t, lanes_of(next));
}

/* e^x = 2^n e^r, n = round(x/ln 2). Of the polynomials that are 1 at 0, that of least relative error on
 * |r| <= ln 2/2: 4.7e-11. Adding 1.5 2^52 rounds, and leaves n in the low bits. Below -700 it stays at
 * e^-700. */
lanes_inline lanes row_exp(lanes x) {
    const double round = 0x1.8p52, ln_2 = 0.69314718055994530942, per_ln_2 = 1.4426950408889634074;
    x = lanes_if_less(x, lanes_of(-row_exp_limit), lanes_of(-row_exp_limit), x);
    const lanes shifted = lanes_fused(x, lanes_of(per_ln_2), lanes_of(round));
    const lanes r = lanes_fused(round - shifted, lanes_of(ln_2), x);
    lanes p = horner(lanes_of(0.00019767657988388086), r, 0.0013945909174755073);
    p = horner(p, r, 0.00833356899117366);
    p = horner(p, r, 0.04166627239409077);
    p = horner(p, r, 0.1666666516290286);
    p = horner(p, r, 0.5000000077192335);
    p = horner(p, r, 1.0000000002087617);
    p = horner(p, r, 1.0);
    return p * lanes_power(shifted);
}

/* Phi(-u) = e^(-u^2/2) erfcx(u/sqrt 2)/2 for u >= 0, given that exponential. With x = u/sqrt 2 and
 * t = (x - 3)/(x + 3), (1 + 2x) erfcx(x) is the polynomial in t to 2.5e-9 for every x. */
lanes_inline lanes row_tail(lanes u, lanes exponential) {
    const lanes x = u * 0.70710678118654752440;
    const lanes inverse = 0.5 / ((x + 3.0) * (1.0 + 2.0 * x));
    const lanes t = (x - 3.0) * (2.0 + 4.0 * x) * inverse;
    lanes p = horner(lanes_of(3.891753371952139e-06), t, 7.720413932438428e-05);
    p = horner(p, t, -0.00010422118260397772);
    p = horner(p, t, -0.0007261608010109221);
    p = horner(p, t, 0.001888215706981417);
    p = horner(p, t, 0.002498822611223978);
    p = horner(p, t, -0.023770388714518188);
    p = horner(p, t, 0.06831669729445755);
    p = horner(p, t, -0.11927367843080684);
    p = horner(p, t, 0.12964409102494753);
    p = horner(p, t, -0.047562293827769955);
    p = horner(p, t, -0.13562106822069328);
    p = horner(p, t, 1.2530080582697303);
    return exponential * p * (x + 3.0) * inverse;
}
