/* The grid of a sweep: placements x FFN ratios x widths x depths.
 *
 *   placement=post,peri:beta=0.1,custom:norm_in=1:norm_out=1  L=1,2,4  d=64,128  rho=1,4
 *
 * Axes are separated by blanks; an axis that is not given keeps its default. ':' attaches further
 * keys to one placement. */
#ifndef TOOL_GRID_H
#define TOOL_GRID_H

#include <stdbool.h>
#include <stdint.h>

#define GRID_DEFAULT "placement=post,pre,peri,peri:beta=0.1 L=1,2,4,6,12 d=128,256,512 rho=1,4"

#define GRID_AXIS_MAX 16
#define GRID_TEXT_MAX 96

struct grid_placement {
    char label[GRID_TEXT_MAX];       /* "peri beta=0.1"           */
    char assignments[GRID_TEXT_MAX]; /* "placement=peri beta=0.1" */
};

struct grid {
    int placements, ratios, widths, depths;
    struct grid_placement placement[GRID_AXIS_MAX];
    double ratio[GRID_AXIS_MAX]; /* rho = d_ff/d */
    int64_t width[GRID_AXIS_MAX], depth[GRID_AXIS_MAX];
};

/* A point of the grid, by the places of its values on the axes. */
struct cell {
    int placement, ratio, width, depth;
};

/* The depths of Xiong 2020 and on to 48, at its width and its two placements. */
#define GRID_PAPER "placement=post,pre L=6,8,10,12,14,24,36,48 d=512 rho=1,2"

/* An axis that text does not give is that of standard, which gives all. False after one line on stderr
 * that names the value. */
bool grid_parse(struct grid *g, const char *standard, const char *text);

/* Cells are numbered with the depth running fastest, then width, ratio, placement. */
int grid_cells(const struct grid *g);
struct cell grid_cell(const struct grid *g, int index);
int grid_index(const struct grid *g, struct cell c);

/* d_ff = rho d. */
int64_t grid_ffn_width(const struct grid *g, struct cell c);

#endif
