#ifndef LNSTAB_MODEL_MODEL_H
#define LNSTAB_MODEL_MODEL_H

#include "base/memory.h"
#include "base/message.h"
#include "base/writer.h"
#include "math/lanczos.h"
#include "model/spec.h"
#include "model/sublayer.h"
#include "model/tensor.h"
#include "nn/embedding.h"
#include "nn/loss.h"
#include "nn/position.h"

/* What the last calls left behind; backward and jvp read it. */
struct lnstab__batch {
    int32_t *tokens, *targets; /* copies: a host's arrays are its own again when a call returns */
    uint8_t *keep;
    int has_keep, has_forward, has_loss;
    int start; /* the position that forward went on from; LNSTAB__INPUT: it was of the whole */
    enum lnstab__backward {
        LNSTAB__BACKWARD_NONE,
        LNSTAB__BACKWARD_GIVEN,
        LNSTAB__BACKWARD_LOSS
    } backward;
    int64_t counted;
};

/* What krylov makes room for: vectors of rows x width entries, and matrices to prove norms of weights by. All
 * NULL where krylov is 0. */
enum { LNSTAB__KRYLOV_PANEL = 64 };
struct lnstab__krylov {
    struct lnstab__lanczos_room lanczos;
    double *square[2]; /* width x width */
    double *panel[2];  /* width x LNSTAB__KRYLOV_PANEL */
    struct lnstab__known_norms *known;
};

/* Norms of weights that have been proved since the last forward, when a host has changed none: of A, or of A B. */
struct lnstab__known_norms {
    size_t count, capacity;
    struct lnstab__known_norm {
        const void *a, *b;
        double upper;
    } * list;
};

/* Rows of the logits whose gradient is there at a time: products of so many run near a BLAS's peak. */
enum { LNSTAB__LOGIT_ROWS = 256 };

/* Positions along the stream: 0 embed.out, k the out of sublayer k = 1..2L, 2L + 1 output; before them the input. */
enum { LNSTAB__INPUT = -1 };

struct lnstab_model {
    struct lnstab__allocator allocator;
    struct lnstab__message message;
    struct lnstab__spec spec;
    const struct lnstab__kernels *kernels;
    struct lnstab__extents extents;
    size_t bytes;

    struct lnstab_tensor *tensors; /* the parameters, then the states */
    int32_t parameter_count, tensor_count;

    struct lnstab__embedding embedding; /* table.data NULL where input=embedded */
    struct lnstab__position position;
    struct lnstab__rotary rotary;
    struct lnstab__norm_op norm_embed, norm_final;
    struct lnstab__sublayer *sublayers; /* 2L: attention and FFN of layer 1, of layer 2, ... */
    struct lnstab__linear head; /* weight.data NULL where head=none, the table's where tied */
    struct lnstab__loss loss;
    struct lnstab__state embed_in, embed_out, output, logits, token_loss;

    struct lnstab__workspace work;
    struct lnstab__workers *workers; /* NULL where threads=1 */
    struct lnstab__krylov krylov;
    struct lnstab__batch batch;
};

/* model/layout.c: the bytes a model of this specification takes; and a model laid out in that many
 * zeroed bytes. It has a lender's (NULL: none) parameters of the same name, sizes and dtype. */
size_t lnstab__model_bytes(const struct lnstab__spec *spec, const lnstab_model *lender);
lnstab_model *lnstab__model_lay_out(const struct lnstab__spec *spec, const lnstab_model *lender,
                                    void *block);

/* model/model.c */
void lnstab__model_reset(lnstab_model *m); /* of zeroed bytes: its own constants, as they start */
void lnstab__model_init(lnstab_model *m, uint64_t seed);

/* By name, x1..x5 included; NULL with a message if there is none. find: nor if it is not kept. */
const lnstab_tensor *lnstab__model_lookup(lnstab_model *m, const char *name);
const lnstab_tensor *lnstab__model_find(lnstab_model *m, const char *name);

int lnstab__model_position(const lnstab_model *m, const char *name); /* -1: not of the stream */
void lnstab__model_position_name(const lnstab_model *m, int position, char name[48]);

/* model/passes.c: arguments are checked, the batch is set. The state of one position or the input is in its
 * place, and forward goes on from there; backward ends where gradients_from says. */
void *lnstab__model_stream(const lnstab_model *m, int position);
void lnstab__model_forward(lnstab_model *m);
int lnstab__model_backward_end(const lnstab_model *m);
double lnstab__model_loss(lnstab_model *m);
void lnstab__model_backward(lnstab_model *m, const void *d_output);
void lnstab__model_jvp(lnstab_model *m, int from, int to, const void *v, void *jv);
void lnstab__model_vjp(lnstab_model *m, int from, int to, const void *u, void *uj);

/* The same without copies: v or u is put where start says, stream_count entries of it; push returns where J v
 * is, pull where u J is, until the next pass. */
size_t lnstab__model_stream_count(const lnstab_model *m);
void *lnstab__model_start(const lnstab_model *m);
const void *lnstab__model_push(const lnstab_model *m, int from, int to);
const void *lnstab__model_pull(const lnstab_model *m, int from, int to);

/* model/describe.c: what a specification builds, as JSON */
void lnstab__spec_describe(const struct lnstab__spec *spec, struct lnstab__writer *w);

#endif
