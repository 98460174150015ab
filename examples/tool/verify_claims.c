#include "verify_claims.h"

#include "lnstab.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a claim that asks for a level is asked at. */
#define LEVEL "0.1"

static const struct {
    const char *name;
    enum claim_kind kind;
} kinds[] = {{"identity", CLAIM_EXACT},          {"inequality", CLAIM_EXACT},
             {"expectation", CLAIM_EXPECTATION}, {"limit", CLAIM_LIMIT},
             {"probability", CLAIM_PROBABILITY}, {"published", CLAIM_PUBLISHED}};

/* Is word one of the words of text, which blanks part? */
static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (; *(text += strspn(text, BLANKS)); text += strcspn(text, BLANKS))
        if (strcspn(text, BLANKS) == length && strncmp(text, word, length) == 0)
            return true;
    return false;
}

bool claim_needs(const struct claim *c, const char *word) {
    return has_word(c->needs, word);
}

bool claim_takes(const struct claim *c, const char *word) {
    return has_word(c->arguments, word);
}

/* A kind that this program does not know is judged as what holds of every model. */
static enum claim_kind kind_of(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return CLAIM_EXACT;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static struct claim read_row(int32_t row) {
    struct claim c = {.name = lnstab_table_text("claims", row, "name"),
                      .source = lnstab_table_text("claims", row, "source"),
                      .arguments = lnstab_table_text("claims", row, "arguments"),
                      .assumptions = lnstab_table_text("claims", row, "assumptions"),
                      .kind_name = lnstab_table_text("claims", row, "kind"),
                      .relation = lnstab_table_text("claims", row, "relation"),
                      .formula = lnstab_table_text("claims", row, "formula"),
                      .needs = lnstab_table_text("claims", row, "needs")};
    c.kind = kind_of(c.kind_name);
    c.costly = claim_needs(&c, "krylov") || claim_needs(&c, "branches");
    c.few_places = c.costly || !*c.needs;
    c.is_root = c.kind == CLAIM_LIMIT && (begins(c.formula, "sqrt(") || begins(c.formula, "||"));
    c.is_cosine = c.kind == CLAIM_LIMIT && strstr(c.formula, "cosine") && !c.is_root;
    c.is_cosine |= strstr(c.name, "cosine") != NULL;
    return c;
}

/* word[0..length-1] is the beginning of a name. */
static bool matches(const char *name, const char *word, size_t length) {
    return length && strncmp(name, word, length) == 0;
}

static bool selected(const char *name, const char *filter) {
    for (; filter && *filter; filter += filter[0] == ',') {
        size_t length = strcspn(filter, ",");
        if (matches(name, filter, length))
            return true;
        filter += length;
    }
    return !filter;
}

static bool words_exist(const char *filter) {
    do {
        size_t length = strcspn(filter, ",");
        int32_t row = 0, rows = lnstab_table_count("claims");
        while (row < rows && !matches(lnstab_table_text("claims", row, "name"), filter, length))
            row++;
        if (row == rows) {
            usage_error("--claims %.*s begins no claim's name (lnstab claims lists them)",
                        (int)length, filter);
            return false;
        }
        filter += length;
    } while (*filter++);
    return true;
}

int claims_read(struct pool *pool, const char *filter, struct claim **out) {
    int count = 0;
    int32_t rows = lnstab_table_count("claims");
    if (filter && !words_exist(filter))
        return 0;
    *out = pool_allocate(pool, (size_t)rows * sizeof **out);
    if (!*out)
        usage_error("no memory for the claims");
    for (int32_t row = 0; *out && row < rows; row++)
        if (selected(lnstab_table_text("claims", row, "name"), filter))
            (*out)[count++] = read_row(row);
    return count;
}

static int64_t all_places(const struct claim *c, int64_t layers) {
    return claim_takes(c, "sublayer") ? 2 * layers + 1 : claim_takes(c, "layer") ? layers : 1;
}

/* The first, one in the middle, and the last two: of sublayers both kinds are among them, and the final
 * norm. */
enum { FEW = 4 };

int64_t claim_places(const struct claim *c, int64_t layers) {
    int64_t all = all_places(c, layers);
    return c->few_places && all > FEW ? FEW : all;
}

int64_t claim_place(const struct claim *c, int64_t layers, int64_t i) {
    int64_t all = all_places(c, layers), count = claim_places(c, layers);
    if (!claim_takes(c, "sublayer") && !claim_takes(c, "layer"))
        return 0;
    return count == all || i == 0 ? i + 1 : i == 1 ? (all + 1) / 2 : all - count + i + 1;
}

void claim_spell(const struct claim *c, int64_t place, char text[CLAIM_ARGUMENTS]) {
    static const char *const levels[] = {"epsilon", "level"};
    int used = 0;
    *text = '\0';
    if (place)
        used = snprintf(text, CLAIM_ARGUMENTS, "%s=%" PRId64,
                        claim_takes(c, "sublayer") ? "sublayer" : "layer", place);
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (claim_takes(c, levels[i]))
            used += snprintf(text + used, CLAIM_ARGUMENTS - (size_t)used, " %s=" LEVEL, levels[i]);
}
