/* Loaded before the library, it builds models other than asked: the keys in $LNSTAB_WRONG are set in
 * every configuration that a model is made of, and in no prediction. This is the field's commonest
 * fault, a setting that was asked for and silently not applied. */
#define _GNU_SOURCE

#include "lnstab.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t create_fn(lnstab_config *c, lnstab_model **out);
typedef int32_t create_sharing_fn(lnstab_config *c, lnstab_model *lender, lnstab_model **out);

static int32_t go_wrong(lnstab_config *c) {
    const char *wrong = getenv("LNSTAB_WRONG");
    return wrong ? lnstab_config_set(c, wrong) : LNSTAB_OK;
}

int32_t lnstab_model_create(lnstab_config *c, lnstab_model **out) {
    void *next = dlsym(RTLD_NEXT, "lnstab_model_create");
    create_fn *create;
    memcpy(&create, &next, sizeof create);
    int32_t status = go_wrong(c);
    return status == LNSTAB_OK ? create(c, out) : status;
}

int32_t lnstab_model_create_sharing(lnstab_config *c, lnstab_model *lender, lnstab_model **out) {
    void *next = dlsym(RTLD_NEXT, "lnstab_model_create_sharing");
    create_sharing_fn *create;
    memcpy(&create, &next, sizeof create);
    int32_t status = go_wrong(c);
    return status == LNSTAB_OK ? create(c, lender, out) : status;
}
