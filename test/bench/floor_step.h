/* The matrix products of a model's step, and the memory they are in. */
#ifndef LNSTAB_BENCH_FLOOR_STEP_H
#define LNSTAB_BENCH_FLOOR_STEP_H

#include <stddef.h>

struct shape {
    size_t batch, tokens, layers, width, heads, ffn, vocab, causal;
};

struct step;

/* A place of its own for each layer's weights, gradients and states. */
struct step *step_start(const struct shape *s);
void step_run(const struct step *t);
void step_end(struct step *t);

/* Floating-point operations of a step. */
double step_flops(const struct shape *s);

/* C = op(A) op(B) + beta C */
void gemm(int trans_a, int trans_b, size_t m, size_t n, size_t k, const float *a, size_t lda,
          const float *b, size_t ldb, float beta, float *c, size_t ldc);

/* Entries of the size of a layer's, far from subnormal numbers. */
void fill(float *x, size_t n);

/* block, or the end of the program. */
void *need(void *block);

#endif
