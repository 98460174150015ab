#include "profile.h"

#include "not_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static double claim(lnstab_config *c, const char *name, const char *arguments) {
    double value;
    return lnstab_claim_predict(c, name, arguments, &value) == LNSTAB_OK ? value : (double)NAN;
}

static double predict_one(lnstab_config *c, enum profile_quantity q, int64_t i, int64_t tokens,
                          double coherence) {
    static const char *const names[] = {
        [PROFILE_SUBLAYERS] = "sublayer", [PROFILE_LAYERS] = "layer"};
    const struct profile_row *row = &profile_rows[q];
    char arguments[128];
    if (!row->claim || (row->takes_coherence && isnan(coherence)) ||
        (q == PROFILE_COSINE && tokens == 1)) /* one token has no other */
        return NAN;
    if (row->axis == PROFILE_ONCE)
        return claim(c, row->claim, "");
    int used = snprintf(arguments, sizeof arguments, "%s=%" PRId64 " tokens=%" PRId64,
                        names[row->axis], i + 1, tokens);
    if (row->takes_coherence)
        snprintf(arguments + used, sizeof arguments - (size_t)used, " coherence=%.17g", coherence);
    return claim(c, row->claim, arguments);
}

/* The largest of so many entries N(0, 1): z with 2 count (1 - Phi(z)) = 1, by its asymptotic form. */
static double largest_normal(double count) {
    double z = 1;
    for (int i = 0; i < 50; i++)
        z = sqrt(2 * log(fmax(1, 2 * count / (z * sqrt(2 * acos(-1))))));
    return z;
}

/* The largest entry of anything in sublayer k, as if all were Gaussian; of the FFN's hidden units twice the
 * square are those before ReLU. */
static double largest_entry(lnstab_config *c, int64_t k, int64_t tokens) {
    static const char *const names[] = {"meanfield.input", "meanfield.branch", "meanfield.sum"};
    int64_t width = 1, ffn_width = 1;
    char at[96];
    lnstab_config_get_i64(c, "width", &width);
    lnstab_config_get_i64(c, "ffn_width", &ffn_width);
    snprintf(at, sizeof at, "sublayer=%" PRId64 " tokens=%" PRId64, k + 1, tokens);
    double z = largest_normal((double)tokens * (double)width), most = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        most = largest_of(most, z * sqrt(claim(c, names[i], at)));
    if (k % 2 == 0)
        return most;
    snprintf(at, sizeof at, "layer=%" PRId64 " tokens=%" PRId64, k / 2 + 1, tokens);
    double hidden = claim(c, "meanfield.hidden", at);
    return largest_of(most, largest_normal((double)tokens * (double)ffn_width) * sqrt(2 * hidden));
}

void profile_predict(lnstab_config *c, int64_t layers, int64_t tokens, double *values,
                     char missing[MESSAGE_SIZE], char missing_gradients[MESSAGE_SIZE]) {
    char all[32];
    snprintf(all, sizeof all, "tokens=%" PRId64, tokens);
    double coherence = claim(c, "meanfield.coherence", all), *at = values;
    for (int q = 0; q < PROFILE_QUANTITIES; q++)
        for (int64_t i = 0; i < profile_count((enum profile_quantity)q, layers); i++)
            *at++ = q == PROFILE_LARGEST
                        ? largest_entry(c, i, tokens)
                        : predict_one(c, (enum profile_quantity)q, i, tokens, coherence);
    *missing = *missing_gradients = '\0';
    if (isnan(claim(c, "meanfield.coherence", all)))
        snprintf(missing_gradients, MESSAGE_SIZE, "%s", lnstab_config_message(c));
    if (isnan(predict_one(c, PROFILE_STATE, 0, tokens, coherence)))
        snprintf(missing, MESSAGE_SIZE, "%s", lnstab_config_message(c));
}
