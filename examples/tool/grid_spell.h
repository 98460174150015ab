/* A grid as --grid takes it, with all of its axes. */
#ifndef TOOL_GRID_SPELL_H
#define TOOL_GRID_SPELL_H

#include "grid.h"
#include "pool.h"

const char *grid_spell(struct pool *pool, const struct grid *g);

#endif
