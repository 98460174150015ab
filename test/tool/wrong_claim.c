/* Loaded before the library, it states something else than the claim says: the stated side of the claim
 * $LNSTAB_CLAIM is multiplied by $LNSTAB_FACTOR. */
#define _GNU_SOURCE

#include "lnstab.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t measure_fn(lnstab_model *m, const char *claim, const char *arguments,
                           double *stated, double *measured);

int32_t lnstab_claim_measure(lnstab_model *m, const char *claim, const char *arguments,
                             double *stated, double *measured) {
    const char *wrong = getenv("LNSTAB_CLAIM"), *factor = getenv("LNSTAB_FACTOR");
    void *next = dlsym(RTLD_NEXT, "lnstab_claim_measure");
    measure_fn *measure;
    memcpy(&measure, &next, sizeof measure);
    int32_t status = measure(m, claim, arguments, stated, measured);
    if (status == LNSTAB_OK && wrong && factor && strcmp(wrong, claim) == 0)
        *stated *= strtod(factor, NULL);
    return status;
}
