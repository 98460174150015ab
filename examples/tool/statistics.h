/* Intervals over seeds, exact binomial intervals, and least squares slopes. */
#ifndef TOOL_STATISTICS_H
#define TOOL_STATISTICS_H

/* A mean over independent seeds with its standard error. */
struct estimate {
    double mean, error;
    int seeds;
};

struct estimate estimate_of(const double *values, int count);

/* Half the width of the two-sided Student-t interval that misses with probability miss. */
double half_width(struct estimate e, double miss);

/* The regularised incomplete beta function I_x(a, b), and its inverse in x. */
double incomplete_beta(double a, double b, double x);
double beta_quantile(double a, double b, double probability);

/* t > 0 with Pr[|T| > t] = miss for Student's T. */
double student_quantile(double miss, double degrees);

/* Clopper-Pearson interval of a probability. successes need not be whole: see boundedness.h. */
void clopper_pearson(double successes, double trials, double miss, double *lower, double *upper);

/* Probability of a miss for each of count comparisons so that all hold at once with probability
 * 1 - miss (Sidak; for dependent comparisons it is conservative where Slepian's inequality is). */
double shared_miss(double miss, int count);

/* Least squares slope of y in x. */
double slope_of(const double *x, const double *y, int count);

#endif
