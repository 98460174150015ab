/* The setting of Xiong 2020 as configurations of the library, one for each cell of the grid. */
#ifndef TOOL_SETTING_H
#define TOOL_SETTING_H

#include "grid.h"
#include "recycler.h"
#include "usage.h"

#include "lnstab.h"

struct setting {
    const struct grid *grid;
    const char *assignments; /* of --set; "" for none                                  */
    int64_t tokens, vocab;   /* n, V                                                   */
    bool from_text;          /* inputs are a file's bytes through a table, not N(0, I) */
};

/* Which configuration of a cell: the one that is measured; the same with gradients in the last layer
 * only; the one that theory speaks about (inputs i.i.d. N(0, I), also if a text is measured); the one
 * whose weights are drawn and then shared. */
enum purpose { MEASURED, MEASURED_LAST, PREDICTED, DRAWN };

/* The caller destroys *out. Models made from it get their memory from r, if that is not NULL. False
 * with a message. */
bool setting_config(const struct setting *s, struct cell c, enum purpose purpose,
                    struct recycler *r, lnstab_config **out, char message[MESSAGE_SIZE]);

/* Is no key set that the grid or an option decides? False after one line on stderr. */
bool setting_allowed(const struct setting *s);
/* Tries every cell before anything is run; false after one line on stderr. */
bool setting_possible(const struct setting *s);

/* Number of directions that the last norm removes: LayerNorm 2, RMSNorm 1, none 0. */
int setting_removed_directions(lnstab_config *c);

#endif
