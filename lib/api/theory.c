#include "analysis/claims.h"
#include "api/handle.h"

int32_t lnstab_claim_predict(lnstab_config *c, const char *claim, const char *arguments,
                             double *value) {
    REQUIRE(c, claim);
    REQUIRE(c, arguments);
    REQUIRE(c, value);
    return lnstab__claim_predict(c, claim, arguments, value);
}

int32_t lnstab_claim_measure(lnstab_model *m, const char *claim, const char *arguments,
                             double *stated, double *measured) {
    REQUIRE(m, claim);
    REQUIRE(m, arguments);
    REQUIRE(m, stated);
    REQUIRE(m, measured);
    return lnstab__claim_measure(m, claim, arguments, stated, measured);
}
