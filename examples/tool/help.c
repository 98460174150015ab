#include "usage.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

static int print_overview(void) {
    puts("usage: lnstab VERB [OPTION]...\n");
    for (const struct verb *v = verbs; v->name; v++)
        printf("  %-11s %s\n", v->name, v->summary);
    puts(
        "\n  --version   version, BLAS back end and compiler\n"
        "\nlnstab help VERB tells a verb's options. Exit status: 0 good, 1 a proved inequality is\n"
        "violated, 2 wrong usage, 130 interrupted.");
    return STATUS_GOOD;
}

int verb_print_help(const char *name) {
    const struct verb *v = verb_find(name);
    printf("usage: lnstab %s", v->name);
    for (const struct option *o = v->options; o->name; o++)
        if (*o->name != '-')
            printf(" %s%s", o->name, o->repeats ? "..." : "");
    printf(" [OPTION]...\n\n  %s\n\n", v->summary);
    options_print(stdout, v->options);
    if (v->notes)
        printf("\n%s", v->notes);
    return STATUS_GOOD;
}

int verb_help(int argc, char **argv) {
    if (argc == 0 || strcmp(argv[0], "--help") == 0)
        return print_overview();
    if (argc > 1)
        return usage_error("help takes one verb, not also %s", argv[1]);
    if (!verb_find(argv[0]))
        return usage_error("help: %s is not a verb; lnstab help lists them", argv[0]);
    return verb_print_help(argv[0]);
}
