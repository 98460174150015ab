/* lnstab - measures a Transformer's states and gradients where its normalisation sits, next to theory. */
#define _POSIX_C_SOURCE 200809L

#include "lnstab.h"
#include "usage.h"
#include "verbs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct verb verbs[] = {
    {"theorem1", "measure the last layer's gradient against Theorem 1 of Xiong 2020", verb_theorem1,
     theorem1_options, theorem1_notes},
    {"check", "sanity-check a design before it is trained", verb_check, check_options, check_notes},
    {"compare", "put designs side by side", verb_compare, compare_options, compare_notes},
    {"sensitivity", "measure how a stack stretches: singular values of its Jacobian",
     verb_sensitivity, sensitivity_options, sensitivity_notes},
    {"verify", "hold every statement of the theory against models", verb_verify, verify_options,
     verify_notes},
    {"placements", "list the placements of the norms, with formulas", verb_placements,
     plain_options, NULL},
    {"presets", "list the known models, with what they set", verb_presets, plain_options, NULL},
    {"keys", "list the configuration keys", verb_keys, plain_options, NULL},
    {"claims", "list the statements of the theory that the library predicts", verb_claims,
     plain_options, NULL},
    {"describe", "show as JSON what a configuration builds", verb_describe, describe_options, NULL},
    {"help", "explain a verb: lnstab help theorem1", verb_help, plain_options, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const struct verb *verb_find(const char *name) {
    for (const struct verb *v = verbs; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

static int print_version(void) {
    puts(lnstab_build_info());
    return STATUS_GOOD;
}

static int unknown_verb(const char *name) {
    char list[256] = "";
    for (const struct verb *v = verbs; v->name; v++) {
        strncat(list, v == verbs ? "" : ", ", sizeof list - strlen(list) - 1);
        strncat(list, v->name, sizeof list - strlen(list) - 1);
    }
    return usage_error("%s is not a verb; the verbs are %s", name, list);
}

static int run(int argc, char **argv) {
    if (argc < 2)
        return usage_error("no verb given; try: lnstab help");
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    if (strcmp(argv[1], "--help") == 0)
        return verb_help(0, argv);
    const struct verb *verb = verb_find(argv[1]);
    return verb ? verb->run(argc - 2, argv + 2) : unknown_verb(argv[1]);
}

/* A file that is opened where standard output was closed would get what is printed. Reading from the
 * null device stands in: writing to it fails as writing to a closed descriptor does. */
static void occupy_standard_descriptors(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv) {
    occupy_standard_descriptors();
    int status = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return usage_error("standard output could not be written");
    return status;
}
