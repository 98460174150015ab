#include "grid.h"
#include "outputs.h"
#include "run_options.h"
#include "verbs.h"

const struct option theorem1_options[] = {
    {"--grid", "GRID", GRID_DEFAULT,
     "axes separated by blanks; values by commas; ':' attaches further keys to a placement,\n"
     "as in placement=post,peri:beta=0.1,custom:norm_in=1. An axis that is not given keeps\n"
     "its default.",
     true},
    {"--paper", NULL, NULL,
     "other axes where --grid gives none, those of Xiong 2020 and on to 48 layers:\n" GRID_PAPER
     "\nThis takes 0.5 GB for each worker, and with 2 of them a quarter of a minute.",
     false},
    {"--seeds", "N", "8", "seeds of each cell, 2 or more", false},
    {"--seed", "FIRST", "1", "the first seed", false},
    {"--tokens", "N", "32", "n, tokens of a sequence", false},
    {"--vocab", "V", "1000", "classes; 256 with --text", false},
    {"--set", "KEY=VALUE", NULL,
     "set a configuration key of every model (lnstab keys lists them); may be repeated", true},
    {"--text", "FILE", NULL,
     "bytes of FILE as tokens, through a table with entries N(0, 1); the next byte is the\n"
     "label; each seed takes consecutive bytes from a place of its own",
     false},
    {"--csv", "FILE", NULL,
     "one row a run, and FILE.meta.json; - is standard output, instead of the tables", false},
    {"--json", "FILE", NULL,
     "cells, fits and verdicts; - is standard output, instead of the tables", false},
    REPORT_OPTIONS,
    {"--resume", "FILE", NULL,
     "keep every finished seed of each d and rho in FILE at once; if it is there, go on from\n"
     "it. Results are those of one uninterrupted run. --seeds may grow from call to call,\n"
     "nothing else that changes a number may differ",
     false},
    RUN_OPTIONS,
    {"--help", NULL, NULL, "this text", false},
    {NULL, NULL, NULL, NULL, false},
};

_Static_assert(sizeof theorem1_options / sizeof theorem1_options[0] <= OPTIONS_MAX,
               "struct options has a place for every option");

const char theorem1_notes[] =
    "The setting is Xiong 2020's: one head, W_Q = W_K = 0, no biases, Xavier weights, W_emb ~\n"
    "N(0, 1/d), inputs i.i.d. N(0, I), uniform labels, eps = 0. Axes of the grid: placement, L "
    "(layers),\n"
    "d (width), rho (FFN width/d). The same seed gives the same inputs and weights to every cell.\n"
    "Ctrl-C ends the run; the CSV then holds the finished rows, the JSON {\"interrupted\": true} "
    "and\n"
    "nothing else. With --resume the same command goes on, also after a kill or a full disk. Exit\n"
    "status 1 if Lemma 2 or the repaired Theorem 1 does not hold.\n";
