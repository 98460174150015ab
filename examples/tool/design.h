/* A design: a placement of the library, "peri" or "peri:beta=0.1", or a file with a configuration. */
#ifndef TOOL_DESIGN_H
#define TOOL_DESIGN_H

#include "recycler.h"
#include "usage.h"

#include <stdbool.h>
#include <stdint.h>

struct design {
    const char *word; /* as it was given */
    bool from_file;
    char *assignments;
};

/* Reads word. False after one line on stderr; design_free is needed in either case. */
bool design_read(struct design *d, const char *word);
void design_free(struct design *d);

/* Texts of assignments one behind the other, comments of each closed. The caller frees it; NULL after one
 * line on stderr. */
char *design_join(const char *before, const char *behind);

/* A configuration of these keys. The caller destroys *out. Models made from it get their memory from r, if that is not NULL. False with a
 * message. */
bool design_config(const char *assignments, struct recycler *r, lnstab_config **out,
                   char message[MESSAGE_SIZE]);

/* A flag, and the text of a rule, of sublayer k = 0..2L-1: norm_res, alpha. 0 and "" where c has none. */
int64_t design_flag(lnstab_config *c, int64_t k, const char *key);
void design_rule(lnstab_config *c, int64_t k, const char *key, char *text, size_t size);
/* The value of that rule in a model of so many layers, NaN where c has none. */
double design_value(lnstab_config *c, int64_t layers, int64_t k, const char *key);

/* Assignments that give a model of c a width of at most most, with the same FFN ratio, and one head if its heads
 * do not fit; "" if it is no wider. */
void design_shrink(lnstab_config *c, int64_t most, char *text, size_t size);

/* Assignments in the setting of the mean field (twin.h). The caller frees it; NULL after one line on stderr,
 * which begins with label. */
char *design_over_twin(const char *assignments, const char *label);

/* What of that no placement decides: "placement=..." behind it makes another placement of the same model.
 * The caller frees it; NULL after one line on stderr. */
char *design_base(const char *assignments, const char *label);

#endif
