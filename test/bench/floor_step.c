/* A step has three products for each linear map (y = x W^T, dx = dy W, dW += dy^T x) and six for each
 * (batch, head) (S = Q K^T, O = P V; dP = dO V^T, dV = P^T dO, dQ = dS K, dK = dS^T Q). Of a causal
 * mask's squares half of the rows is taken: half of the arithmetic. */

#include "floor_step.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef LNSTAB_CBLAS
#include <cblas.h>
#else
enum { CblasRowMajor, CblasNoTrans, CblasTrans };
#endif

/* What each layer has of its own, and what all of them share. */
enum { Q, K, V, O, ONE, TWO, MAPS };
struct layer {
    float *weight[MAPS], *grad[MAPS], *x, *q, *k, *v, *o, *y, *z, *hidden, *out;
};
struct step {
    struct shape of;
    float *block;
    struct layer *layer;
    float *head, *head_grad, *last, *logits, *p, *ds, *dq, *dk, *dv, *d_o, *d_hidden, *dx;
};

static double flops; /* of all products so far */

void gemm(int trans_a, int trans_b, size_t m, size_t n, size_t k, const float *a, size_t lda,
          const float *b, size_t ldb, float beta, float *c, size_t ldc) {
    flops += 2.0 * (double)m * (double)n * (double)k;
#ifdef LNSTAB_CBLAS
    if (c) {
        cblas_sgemm(CblasRowMajor, trans_a ? CblasTrans : CblasNoTrans,
                    trans_b ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1.0F, a, (int)lda,
                    b, (int)ldb, beta, c, (int)ldc);
    }
#else
    (void)trans_a, (void)trans_b, (void)a, (void)lda, (void)b, (void)ldb, (void)beta, (void)c;
    (void)ldc;
#endif
}

static void map_forward(size_t rows, size_t in, size_t out, const float *w, const float *x,
                        float *y) {
    gemm(0, 1, rows, out, in, x, in, w, in, 0.0F, y, out);
}

static void map_backward(size_t rows, size_t in, size_t out, const float *w, float *dw,
                         const float *x, const float *dy, float beta, float *dx) {
    gemm(1, 0, out, in, rows, dy, out, x, in, 1.0F, dw, in);
    gemm(0, 0, rows, in, out, dy, out, w, in, beta, dx, in);
}

static float *corner(const struct shape *s, float *of, size_t i) {
    const size_t batch = i / s->heads, head = i % s->heads;
    return of ? of + batch * s->tokens * s->width + head * (s->width / s->heads) : NULL;
}

static void attention(const struct step *t, const struct layer *l, int is_backward) {
    const struct shape *s = &t->of;
    const size_t n = s->tokens, d = s->width, h = d / s->heads;
    const size_t rows = s->causal ? (n + 1) / 2 : n;
    for (size_t i = 0; i < s->batch * s->heads; ++i) {
        float *q = corner(s, l->q, i), *k = corner(s, l->k, i), *v = corner(s, l->v, i);
        if (!is_backward) {
            gemm(0, 1, rows, n, h, q, d, k, d, 0.0F, t->p, n);
            gemm(0, 0, rows, h, n, t->p, n, v, d, 0.0F, corner(s, l->o, i), d);
            continue;
        }
        const float *d_o = corner(s, t->d_o, i);
        gemm(0, 1, rows, n, h, d_o, d, v, d, 0.0F, t->ds, n);
        gemm(1, 0, n, h, rows, t->p, n, d_o, d, 0.0F, corner(s, t->dv, i), d);
        gemm(0, 0, rows, h, n, t->ds, n, k, d, 0.0F, corner(s, t->dq, i), d);
        gemm(1, 0, n, h, rows, t->ds, n, q, d, 0.0F, corner(s, t->dk, i), d);
    }
}

static void layer_forward(const struct step *t, const struct layer *l) {
    const size_t rows = t->of.batch * t->of.tokens, d = t->of.width, f = t->of.ffn;
    map_forward(rows, d, d, l->weight[Q], l->x, l->q);
    map_forward(rows, d, d, l->weight[K], l->x, l->k);
    map_forward(rows, d, d, l->weight[V], l->x, l->v);
    attention(t, l, 0);
    map_forward(rows, d, d, l->weight[O], l->o, l->y);
    map_forward(rows, d, f, l->weight[ONE], l->z, l->hidden);
    map_forward(rows, f, d, l->weight[TWO], l->hidden, l->out);
}

static void layer_backward(const struct step *t, const struct layer *l) {
    const size_t rows = t->of.batch * t->of.tokens, d = t->of.width, f = t->of.ffn;
    map_backward(rows, f, d, l->weight[TWO], l->grad[TWO], l->hidden, t->dx, 0.0F, t->d_hidden);
    map_backward(rows, d, f, l->weight[ONE], l->grad[ONE], l->z, t->d_hidden, 0.0F, t->dx);
    map_backward(rows, d, d, l->weight[O], l->grad[O], l->o, t->dx, 0.0F, t->d_o);
    attention(t, l, 1);
    map_backward(rows, d, d, l->weight[Q], l->grad[Q], l->x, t->dq, 0.0F, t->dx);
    map_backward(rows, d, d, l->weight[K], l->grad[K], l->x, t->dk, 1.0F, t->dx);
    map_backward(rows, d, d, l->weight[V], l->grad[V], l->x, t->dv, 1.0F, t->dx);
}

void step_run(const struct step *t) {
    const struct shape *s = &t->of;
    const size_t rows = s->batch * s->tokens;
    for (size_t i = 0; i < s->layers; ++i) {
        layer_forward(t, &t->layer[i]);
    }
    map_forward(rows, s->width, s->vocab, t->head, t->last, t->logits);
    map_backward(rows, s->width, s->vocab, t->head, t->head_grad, t->last, t->logits, 0.0F, t->dx);
    for (size_t i = s->layers; i-- > 0;) {
        layer_backward(t, &t->layer[i]);
    }
}

void *need(void *block) {
    if (!block) {
        fputs("floor: no memory\n", stderr);
        exit(1);
    }
    return block;
}

/* Hands out the parts of a block; without one it only counts them. */
static void lay(struct step *t, float *block, size_t *used) {
    const struct shape *s = &t->of;
    const size_t act = s->batch * s->tokens * s->width, hid = s->batch * s->tokens * s->ffn;
    const size_t logits = s->batch * s->tokens * s->vocab, square = s->tokens * s->tokens;
    const size_t dd = s->width * s->width, df = s->width * s->ffn, dv = s->width * s->vocab;
    *used = 0;
#define TAKE(field, n) ((field) = block ? block + *used : NULL, *used += ((n) + 15) / 16 * 16)
    for (size_t i = 0; i < s->layers; ++i) {
        struct layer *l = &t->layer[i];
        for (int j = Q; j < MAPS; ++j) {
            TAKE(l->weight[j], j < ONE ? dd : df);
            TAKE(l->grad[j], j < ONE ? dd : df);
        }
        float **const parts[] = {&l->x, &l->q, &l->k, &l->v, &l->o, &l->y, &l->z, &l->out};
        for (size_t j = 0; j < sizeof parts / sizeof parts[0]; ++j) {
            TAKE(*parts[j], act);
        }
        TAKE(l->hidden, hid);
    }
    float **const shared[] = {&t->last, &t->dq, &t->dk, &t->dv, &t->d_o, &t->dx};
    for (size_t j = 0; j < sizeof shared / sizeof shared[0]; ++j) {
        TAKE(*shared[j], act);
    }
    TAKE(t->d_hidden, hid);
    TAKE(t->head, dv);
    TAKE(t->head_grad, dv);
    TAKE(t->logits, logits);
    TAKE(t->p, square);
    TAKE(t->ds, square);
#undef TAKE
}

void fill(float *x, size_t n) {
    unsigned state = 1;
    for (size_t i = 0; i < n; ++i) {
        state = state * 1664525U + 1013904223U;
        x[i] = 0.1F * ((float)(state >> 8) / 8388608.0F - 1.0F);
    }
}

/* Without a block its arrays are NULL, and gemm only counts. */
static struct step *start(const struct shape *s, int is_real) {
    size_t n;
    struct step *t = need(calloc(1, sizeof *t));
    t->of = *s;
    t->layer = need(calloc(s->layers, sizeof *t->layer));
    lay(t, NULL, &n);
    if (is_real) {
        t->block = need(malloc(n * sizeof *t->block));
        fill(t->block, n);
        lay(t, t->block, &n);
    }
    return t;
}

struct step *step_start(const struct shape *s) {
    return start(s, 1);
}

void step_end(struct step *t) {
    if (t) {
        free(t->block);
        free(t->layer);
        free(t);
    }
}

double step_flops(const struct shape *s) {
    struct step *t = start(s, 0);
    flops = 0;
    step_run(t);
    step_end(t);
    return flops;
}
