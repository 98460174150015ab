/* The verbs that print a table of the library, a block a row. */
#include "lnstab.h"
#include "usage.h"
#include "verbs.h"

#include <stdio.h>

const struct option plain_options[] = {
    {"--help", NULL, NULL, "this text", false},
    {NULL, NULL, NULL, NULL, false},
};

/* The first column heads its block; empty cells are left out. */
static void print_row(const char *table, int32_t row, const char *const columns[]) {
    printf("%s\n", lnstab_table_text(table, row, columns[0]));
    for (int i = 1; columns[i]; i++) {
        const char *text = lnstab_table_text(table, row, columns[i]);
        if (text && *text)
            printf("    %-12s %s\n", columns[i], text);
    }
}

static int print_table(const char *table, const char *const columns[], int argc, char **argv) {
    struct options o;
    bool good = options_parse(&o, plain_options, argc, argv), help = options_given(&o, "--help");
    options_free(&o);
    if (!good)
        return STATUS_USAGE;
    if (help)
        return verb_print_help(table);
    for (int32_t row = 0; row < lnstab_table_count(table); row++)
        print_row(table, row, columns);
    return STATUS_GOOD;
}

int verb_placements(int argc, char **argv) {
    static const char *const columns[] = {"name", "formula", "aliases", "source", "states", NULL};
    return print_table("placements", columns, argc, argv);
}

int verb_keys(int argc, char **argv) {
    static const char *const columns[] = {"name",    "alias", "type", "range",
                                          "default", "help",  NULL};
    return print_table("keys", columns, argc, argv);
}

int verb_presets(int argc, char **argv) {
    static const char *const columns[] = {"name", "assignments", "source", NULL};
    return print_table("presets", columns, argc, argv);
}

int verb_claims(int argc, char **argv) {
    static const char *const columns[] = {"name",     "source",  "arguments", "assumptions", "kind",
                                          "relation", "formula", "needs",     NULL};
    return print_table("claims", columns, argc, argv);
}
