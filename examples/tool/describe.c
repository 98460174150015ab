/* What a configuration builds, as the library's JSON. */
#include "lnstab.h"
#include "usage.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>

const struct option describe_options[] = {
    {"--set", "KEY=VALUE", NULL,
     "set a configuration key (lnstab keys lists them); may be repeated, and one use may\n"
     "hold several words",
     true},
    {"--help", NULL, NULL, "this text", false},
    {NULL, NULL, NULL, NULL, false},
};

static int print_model(lnstab_model *m) {
    size_t size = 0;
    lnstab_model_describe(m, NULL, 0, &size);
    char *json = malloc(size);
    if (!json)
        return usage_error("no memory for the description");
    int32_t status = lnstab_model_describe(m, json, size, NULL);
    if (status == LNSTAB_OK)
        puts(json);
    free(json);
    return status == LNSTAB_OK ? STATUS_GOOD : usage_error("%s", lnstab_model_message(m));
}

static int describe(const char *assignments) {
    lnstab_config *c;
    lnstab_model *m = NULL;
    int status;
    if (lnstab_config_create(NULL, NULL, NULL, &c) != LNSTAB_OK)
        return usage_error("no memory for a configuration");
    if (lnstab_config_set(c, assignments) == LNSTAB_OK && lnstab_model_create(c, &m) == LNSTAB_OK)
        status = print_model(m);
    else
        status = usage_error("%s", lnstab_config_message(c));
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    return status;
}

int verb_describe(int argc, char **argv) {
    struct options o;
    int status = STATUS_USAGE;
    if (options_parse(&o, describe_options, argc, argv)) {
        const char *assignments = options_text(&o, "--set");
        status = options_given(&o, "--help") ? verb_print_help("describe")
                                             : describe(assignments ? assignments : "");
    }
    options_free(&o);
    return status;
}
