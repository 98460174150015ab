/* What a configuration builds, as the library's JSON. */
#include "description.h"
#include "verbs.h"

#include <stdio.h>

const struct option describe_options[] = {
    {"--preset", "NAME", NULL, "a known model (lnstab presets lists them); --set counts before it",
     false},
    {"--set", "KEY=VALUE", NULL,
     "set a configuration key (lnstab keys lists them); may be repeated, and one use may\n"
     "hold several words",
     true},
    {"--help", NULL, NULL, "this text", false},
    {NULL, NULL, NULL, NULL, false},
};

static int print_config(lnstab_config *c) {
    struct pool pool = {0};
    const char *json = description_of(&pool, c);
    if (json)
        fputs(json, stdout);
    pool_free(&pool);
    return json ? STATUS_GOOD : STATUS_USAGE;
}

static int describe(const char *preset, const char *assignments) {
    lnstab_config *c;
    char name[64] = "";
    if (preset)
        snprintf(name, sizeof name, "preset=%s", preset);
    if (lnstab_config_create(NULL, NULL, NULL, &c) != LNSTAB_OK)
        return usage_error("no memory for a configuration");
    int status;
    if (lnstab_config_set(c, name) == LNSTAB_OK && lnstab_config_set(c, assignments) == LNSTAB_OK)
        status = print_config(c);
    else
        status = usage_error("%s", lnstab_config_message(c));
    lnstab_config_destroy(c);
    return status;
}

int verb_describe(int argc, char **argv) {
    struct options o;
    int status = STATUS_USAGE;
    if (options_parse(&o, describe_options, argc, argv)) {
        const char *assignments = options_text(&o, "--set");
        status = options_given(&o, "--help")
                     ? verb_print_help("describe")
                     : describe(options_text(&o, "--preset"), assignments ? assignments : "");
    }
    options_free(&o);
    return status;
}
