/* Student t, binomial intervals and slopes of the program against published values. */
#include "../../examples/tool/statistics.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void near(const char *what, double value, double wanted, double tolerance) {
    if (fabs(value - wanted) <= tolerance)
        return;
    printf("%s is %.10g, not %.10g\n", what, value, wanted);
    failures++;
}

/* Two-sided quantiles from the usual tables; one degree is the Cauchy distribution. */
static void check_student(void) {
    near("t(.975, 1)", student_quantile(0.05, 1), 12.7062047362, 1e-8);
    near("t(.975, 7)", student_quantile(0.05, 7), 2.36462425159, 1e-9);
    near("t(.975, 15)", student_quantile(0.05, 15), 2.13144954556, 1e-9);
    near("t(.995, 4)", student_quantile(0.01, 4), 4.60409487135, 1e-9);
    near("t(.975, 1e6)", student_quantile(0.05, 1e6), 1.95996635682, 1e-8);
    double miss = 1e-9;
    near("t(1e-9, 1) tan", student_quantile(miss, 1) * tan(acos(-1.0) * miss / 2), 1, 1e-6);
}

static void check_beta(void) {
    near("I_.3(2, 3)", incomplete_beta(2, 3, 0.3), 0.3483, 1e-12);
    near("I_.5(.5, .5)", incomplete_beta(0.5, 0.5, 0.5), 0.5, 1e-12);
    near("I_.9(20, 5)", incomplete_beta(20, 5, 0.9), 0.914925114121, 1e-10);
    near("quantile of its probability", beta_quantile(3.5, 8, incomplete_beta(3.5, 8, 0.123456)),
         0.123456, 1e-10);
}

/* 0 of n: upper 1 - (miss/2)^(1/n). 3 of 20: the textbook interval. */
static void check_binomial(void) {
    double lower, upper;
    clopper_pearson(0, 16, 0.05, &lower, &upper);
    near("lower of 0/16", lower, 0, 0);
    near("upper of 0/16", upper, 1 - pow(0.025, 1.0 / 16), 1e-12);
    clopper_pearson(3, 20, 0.05, &lower, &upper);
    near("lower of 3/20", lower, 0.03207094, 1e-7);
    near("upper of 3/20", upper, 0.37892683, 1e-7);
    clopper_pearson(16, 16, 0.05, &lower, &upper);
    near("upper of 16/16", upper, 1, 0);
}

static void check_estimates(void) {
    const double x[] = {0, 1, 2, 3}, y[] = {1, 3, 5, 7}, sample[] = {1, 2, 3, 4, 5};
    struct estimate e = estimate_of(sample, 5);
    near("mean", e.mean, 3, 1e-15);
    near("standard error", e.error, sqrt(0.5), 1e-15);
    near("half width", half_width(e, 0.05), 2.7764451052 * sqrt(0.5), 1e-9);
    near("slope", slope_of(x, y, 4), 2, 1e-14);
    near("Sidak for 1", shared_miss(0.05, 1), 0.05, 1e-15);
    near("Sidak for 100", pow(1 - shared_miss(0.05, 100), 100), 0.95, 1e-12);
}

int main(void) {
    check_student();
    check_beta();
    check_binomial();
    check_estimates();
    return failures ? 1 : 0;
}
