#ifndef LNSTAB_TEST_UNIT_CLAIM_FIXTURE_H
#define LNSTAB_TEST_UNIT_CLAIM_FIXTURE_H

#include "analysis/claims.h"
#include "unit/theory_fixture.h"

static inline double predict(lnstab_config *c, const char *claim, const char *arguments) {
    double value = -77;
    const int32_t status = lnstab__claim_predict(c, claim, arguments, &value);
    if (status != LNSTAB_OK) {
        ck_abort_msg("%s %s: %s", claim, arguments, c->message.text);
    }
    return value;
}

/* Of a line that goes kind placement L rho. */
static inline lnstab_config *config_of(const struct fixture *f, int64_t d) {
    return theory_config(f->words[1], fixture_integer(f, 2), fixture_number(f, 3), d);
}

#endif
