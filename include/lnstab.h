/*
 * lnstab - is a Transformer stable where its normalisation sits?
 *
 * The library builds a Transformer whose every sublayer is one residual update,
 *
 *     x' = N_res( alpha x + beta N_out( F( kappa N_in(x) ) ) ),      F = attention or FFN,
 *
 * runs it forward and backward, and puts the measured states and gradients next to what the theory
 * predicts for them. A placement of the norms (post-LN, pre-LN, peri-LN, ...) is a row of a table:
 * which of N_in, N_out, N_res exist, and the coefficients kappa, alpha, beta.
 *
 * RULES THAT HOLD FOR EVERY FUNCTION BELOW
 *
 * Status. A call that can fail returns int32_t: LNSTAB_OK (0) or a negative LNSTAB_ERROR_*. Outputs
 *   are written only on success, except where a function says otherwise.
 * Messages. The handle that a failing call was given keeps a sentence that names the value and the
 *   limit ("heads 12 does not divide width 100"); read it with the handle's _message function. It is
 *   never NULL, is "" after a success, and stays valid until the next call on that handle. A handle
 *   stays usable after any error and what it held before the call is still there. A NULL handle is
 *   LNSTAB_ERROR_ARGUMENT (or NULL, or 0, as the return type has it), never a crash.
 * Threads. There is no global state. One handle is for one thread at a time; different handles may be
 *   used on different threads at once. The library starts no threads unless the key threads asks for
 *   them: a model of threads=n has n - 1 from its creation to its end, asleep between calls and while
 *   there is too little to share, with all signals blocked. A child after fork has none of them, gets
 *   the same numbers on its one thread, and destroys the model as usual. The library changes no
 *   setting of the BLAS, the floating-point unit or the locale. It never prints, exits, or reads the
 *   environment.
 * Ownership. What a _create function returned is given back with the matching _destroy, which takes
 *   NULL. A lnstab_tensor and every const char * belong to the handle they came from and end with it;
 *   texts of the tables live for ever. Arrays given to a function are read or written during the call
 *   only and must not overlap each other unless said.
 * Memory. Each handle is one allocation by the configuration's allocator, made when the handle is
 *   created. Nothing else allocates, on success or failure (the BLAS may, for itself; the C library
 *   maps the stacks of the threads that were asked for).
 * Numbers. Dimensions are int64_t, counts of elements size_t. Tensors are row-major and dense, in the
 *   dtype of their model. Every sum, norm and statistic is accumulated and returned in double.
 *   Non-finite inputs are carried through, never trapped; lnstab_model_health finds them.
 * Names. Keys, placements, claims and tensors are named by strings; a name that does not exist is
 *   LNSTAB_ERROR_NAME. Where one table lists all names, lnstab_table_text reads it.
 * Notation. L layers numbered 1..L, d = width, B sequences, T tokens each, V = vocab. Weights are
 *   stored [out, in] (y = x W^T), the transpose of the papers' W. Papers: "Xiong 2020" is
 *   arXiv 2002.04745. "Derived" means derived in doc/theory.md of this project, not in a paper.
 * Since. Everything here is since 0.1.0. Until 1.0.0 a release may change this interface; its
 *   CHANGELOG says so.
 */
#ifndef LNSTAB_H
#define LNSTAB_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LNSTAB_API __attribute__((visibility("default")))
#else
#define LNSTAB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define LNSTAB_VERSION_MAJOR 0
#define LNSTAB_VERSION_MINOR 1
#define LNSTAB_VERSION_PATCH 0

/* Status codes. */
#define LNSTAB_OK 0
#define LNSTAB_ERROR_ARGUMENT (-1) /* a value is out of its range, or a needed pointer is NULL   */
#define LNSTAB_ERROR_MEMORY (-2)   /* no memory or thread to be had, or the size overflows size_t */
#define LNSTAB_ERROR_NAME (-3)     /* no such key, choice, placement, tensor, or claim           */
#define LNSTAB_ERROR_SEQUENCE (-4) /* a call came before the one it needs, as backward, forward  */
#define LNSTAB_ERROR_UNAVAILABLE                                                                   \
    (-5)                           /* not kept, or outside the assumptions: the message says why */
#define LNSTAB_ERROR_CAPACITY (-6) /* the caller's buffer is too small; the needed size is told  */

/* Element types, in the order of the key dtype. The last two are bit patterns in a uint16_t, of a host's rows
 * (section 4) and of values for a model's tensors; a model itself is float32 or float64. */
#define LNSTAB_FLOAT32 1
#define LNSTAB_FLOAT64 2
#define LNSTAB_BFLOAT16 3 /* 8 bits of exponent, 7 of mantissa: the upper half of a float32 */
#define LNSTAB_FLOAT16 4  /* binary16 of IEEE 754: 5 bits of exponent, 10 of mantissa       */

typedef struct lnstab_config lnstab_config; /* keys and values; makes every other handle    */
typedef struct lnstab_model lnstab_model;   /* weights, gradients and states, in one block  */
typedef struct lnstab_tensor lnstab_tensor; /* a view into a model: borrowed, never freed   */
typedef struct lnstab_norm lnstab_norm;     /* a normalisation of a host's own rows         */

/* ---- 1. The library and its tables -------------------------------------------------------- */

/* The version of the library that runs, as 10000 major + 100 minor + patch; compare it with the
 * LNSTAB_VERSION_* that the program was compiled with. */
LNSTAB_API int32_t lnstab_version(void);

/* One line: version, BLAS back end ("cblas" or "builtin"), compiler. */
LNSTAB_API const char *lnstab_build_info(void);

/* A status code in words; "unknown status" for any other number. */
LNSTAB_API const char *lnstab_status_text(int32_t status);

/* What the library knows stands in four tables:
 *
 *   "keys"        name, alias, type, range, default, help      one row a configuration key
 *   "placements"  name, formula, aliases, source, states       one row a placement of the norms
 *   "presets"     name, assignments, source                    one row a known model
 *   "claims"      name, source, arguments, assumptions, kind, relation, formula, needs
 *
 * _count gives the rows of a table, 0 for an unknown one; _text one cell as text, "" where a row has
 * nothing to say, NULL for an unknown table, row or column. */
LNSTAB_API int32_t lnstab_table_count(const char *table);
LNSTAB_API const char *lnstab_table_text(const char *table, int32_t row, const char *column);

/* Random numbers of the library, for inputs that a host wants to reproduce: Philox 4x32-10 with the
 * key seed and the counter (element / 4, 0, stream), so element i of a stream is the same whatever
 * else is drawn. first and count choose elements; out holds count doubles: standard normal numbers
 * (Box-Muller on 32-bit words, so |value| < 6.77), or uniform ones strictly between 0 and 1.
 * Weights come from counters that no stream of a host can reach. O(count). */
LNSTAB_API int32_t lnstab_random_normal(uint64_t seed, uint32_t stream, uint64_t first,
                                        size_t count, double *out);
LNSTAB_API int32_t lnstab_random_uniform(uint64_t seed, uint32_t stream, uint64_t first,
                                         size_t count, double *out);

/* ---- 2. Configuration --------------------------------------------------------------------- */

/* The two halves of an allocator. alloc returns size bytes at a multiple of align (a power of two),
 * or NULL; release takes what alloc gave, never NULL. Both get the user pointer of
 * lnstab_config_create. They are called only by _create and _destroy functions. */
typedef void *lnstab_alloc_fn(void *user, size_t size, size_t align);
typedef void lnstab_free_fn(void *user, void *p);

/* Makes a configuration that holds every key's default. alloc and release are both given or both
 * NULL (the C library's). Handles made from it use the same allocator; they copy what they need, so
 * the configuration may change or end before they do. */
LNSTAB_API int32_t lnstab_config_create(lnstab_alloc_fn *alloc, lnstab_free_fn *release, void *user,
                                        lnstab_config **out);
LNSTAB_API void lnstab_config_destroy(lnstab_config *c);
LNSTAB_API const char *lnstab_config_message(const lnstab_config *c);

/* Sets keys from text: key=value words separated by blanks or newlines, "layers=12 placement=peri", as in
 * a file: blanks around = and what follows a # on its line do not matter. The table "keys" lists the keys.
 * Values are
 *     integer   layers=12
 *     number    eps=1e-5           (a point, whatever the locale)
 *     choice    norm=rms
 *     rule      alpha=1.19*L^0.25  c[*L^p][*l^q], l = 1..L the layer the rule is applied to; c is
 *                                  needed, powers are decimal numbers
 * Either all words are applied or none. A key that was set always counts, in whatever order: it
 * overrides what the placement and the preset have for it (placement=pre beta=0.1; preset=gpt2-124m
 * layers=3), and a key that was not set follows the preset, then the placement, then its default.
 *
 * What a placement decides (norm_in, norm_out, norm_res, kappa, alpha, beta, gain_*) can be set for some
 * sublayers only, in every function that takes a key:
 *     ffn.beta=0.5   layer.3.norm_res=1   layer.2-5.attn.beta=2*L^-0.5   layer.L.ffn.gain_w2=0
 * Such a key overrides the same key without layer or sublayer, in whatever order; of two that meet in a
 * sublayer the later one counts. At most 64 of them can be set (LNSTAB_ERROR_CAPACITY). */
LNSTAB_API int32_t lnstab_config_set(lnstab_config *c, const char *assignments);

/* Sets one key of type integer, of type number, or of type rule (c L^p l^q). */
LNSTAB_API int32_t lnstab_config_set_i64(lnstab_config *c, const char *key, int64_t value);
LNSTAB_API int32_t lnstab_config_set_f64(lnstab_config *c, const char *key, double value);
LNSTAB_API int32_t lnstab_config_set_rule(lnstab_config *c, const char *key, double factor,
                                          double depth_power, double layer_power);

/* The value in force for a key: set, or from the preset, the placement, or the default; a key that the
 * sublayers in question differ in, as some of placement=mix do, is LNSTAB_ERROR_UNAVAILABLE. _get_str writes the text that
 * lnstab_config_set would take, with its final 0, into text[capacity]; *needed (may be NULL) is its size.
 * Both are written on LNSTAB_ERROR_CAPACITY too, the text as far as it fits. text may be NULL if capacity
 * is 0. */
LNSTAB_API int32_t lnstab_config_get_i64(lnstab_config *c, const char *key, int64_t *value);
LNSTAB_API int32_t lnstab_config_get_f64(lnstab_config *c, const char *key, double *value);
LNSTAB_API int32_t lnstab_config_get_str(lnstab_config *c, const char *key, char *text,
                                         size_t capacity, size_t *needed);

/* ---- 3. Model ----------------------------------------------------------------------------- */

/* The bytes that a model of this configuration will ask its allocator for. Fails as
 * lnstab_model_create would, memory aside. */
LNSTAB_API int32_t lnstab_model_size(lnstab_config *c, size_t *bytes);

/* Makes a model with weights 0, biases 0, gains (gamma) 1 and gradients 0. The message of a failure is the
 * configuration's. */
LNSTAB_API int32_t lnstab_model_create(lnstab_config *c, lnstab_model **out);

/* The same, but a parameter that lender has too, of the same name, sizes and dtype, is the lender's: one memory,
 * which is read and written through either, and not changed by this call. Gradients and states are its own.
 * lender must outlive it. Two threads may run the two models while none writes a parameter; after such a write run
 * forward in both. lnstab_model_size and describe tell the bytes of a model that shares nothing. */
LNSTAB_API int32_t lnstab_model_create_sharing(lnstab_config *c, lnstab_model *lender,
                                               lnstab_model **out);
LNSTAB_API void lnstab_model_destroy(lnstab_model *m);
LNSTAB_API const char *lnstab_model_message(const lnstab_model *m);

/* What a model is, as JSON in json[capacity] with its final 0: every key in force, for each sublayer its
 * norms, kappa, alpha and beta, for each parameter its shape, distribution and standard deviation, the
 * number of parameters and the bytes. model_describe tells of a model what it was built from;
 * config_describe, what the configuration would build, in no memory of its own, whatever the size.
 * *needed (may be NULL) is the size of the whole text. Both are written on LNSTAB_ERROR_CAPACITY too, the
 * text as far as it fits. json may be NULL if capacity is 0. */
LNSTAB_API int32_t lnstab_config_describe(lnstab_config *c, char *json, size_t capacity,
                                          size_t *needed);
LNSTAB_API int32_t lnstab_model_describe(lnstab_model *m, char *json, size_t capacity,
                                         size_t *needed);

/* Draws every weight from the configured initialisation and sets biases to 0, gammas to 1. A weight
 * depends on seed, its tensor's kind and layer, and its place in the tensor, and on nothing else: the
 * same seed gives the same weights to every placement, depth and dtype (float32 is the rounding).
 * Gradients stay as they are: zero_grads clears them. */
LNSTAB_API int32_t lnstab_model_init(lnstab_model *m, uint64_t seed);

/* Runs B sequences of T tokens, 1 <= B <= max_batch (1 if not set), 1 <= T <= max_tokens, up to the logits.
 *   forward           needs input=tokens:   tokens[B, T], 0 <= token < vocab
 *   forward_embedded  needs input=embedded: x[B, T, width] in the model's dtype
 * keep[B, T] (NULL: all 1) masks keys: a token with keep 0 is attended to by nobody; a query with no
 * key left gets 0 from attention. What is masked must be finite all the same: 0 times NaN is NaN. Any
 * other value than 0 and 1 is an error. Positions count from the first token of each sequence. Cost: 2 B T
 * flops per weight, and 4 B T^2 width per layer for attention. */
LNSTAB_API int32_t lnstab_model_forward(lnstab_model *m, int64_t B, int64_t T,
                                        const int32_t *tokens, const uint8_t *keep);
LNSTAB_API int32_t lnstab_model_forward_embedded(lnstab_model *m, int64_t B, int64_t T,
                                                 const void *x, const uint8_t *keep);

/* The same from a state of the stream on: x[B, T, width], in the model's dtype, is what stands at "embed.out",
 * "layer.3.attn.out" or any other that jvp takes, whatever input says; it may be that state's own data. States
 * before it are left as they are. What would go further down than it is LNSTAB_ERROR_SEQUENCE: backward, unless
 * gradients_from ends it behind it, and jvp and its like from a state before it; claims about states are
 * LNSTAB_ERROR_UNAVAILABLE. Where it is the same state as in a forward of the whole, so is all behind it, bit for bit.
 * Cost: that of the layers behind it. */
LNSTAB_API int32_t lnstab_model_forward_from(lnstab_model *m, const char *from, int64_t B,
                                             int64_t T, const void *x, const uint8_t *keep);

/* The mean over the counted tokens of the last forward of the cross-entropy
 *     -sum_k r_k log softmax(logits)_k,  r = (1 - label_smoothing) onehot(target) + label_smoothing/V,
 * targets[B, T]. A target equal to ignore_index is not counted; any other must be in 0..vocab-1. *counted
 * (may be NULL) is their number; none counted: loss 0, count 0, success. Every token's own loss is then
 * in the state "token_loss", 0 where it is not counted. Needs a head. */
LNSTAB_API int32_t lnstab_model_loss(lnstab_model *m, const int32_t *targets, double *mean,
                                     int64_t *counted);

/* Adds the gradient to every parameter's gradient and overwrites the gradient of the input
 * ("embed.in") and, with keep_states=2, of every state. dout == NULL: the gradient of the last loss.
 * Otherwise dout[B, T, width] is the caller's gradient with respect to "output", and the head takes no
 * part. Needs gradients=1 and a forward (and a loss) before it. About twice the cost of forward; with
 * recompute=blocks three times, for the memory of one sublayer's states instead of all. "logits" stays what
 * forward made it: backward may come again. gradients_from=l ends it at
 * the input of layer l, at the cost of the layers from there on: those before it, the tables (so a tied head) and
 * the input hold no gradients. gradients_of=w_2 is for the matrices of Theorem 1 of Xiong 2020: W_2 of the FFNs is all
 * that has a gradient, backward ends at that of layer l, or 1, and no state before it has a costate. */
LNSTAB_API int32_t lnstab_model_backward(lnstab_model *m, const void *dout);

/* Sets every parameter's gradient to 0. */
LNSTAB_API int32_t lnstab_model_zero_grads(lnstab_model *m);

/* Directional derivatives of the stream at the point of the last forward, parameters held fixed.
 * from and to are states of the stream, from before to: "embed.out", "layer.3.attn.in",
 * "layer.3.attn.out" (the same state as "layer.3.ffn.in"), "layer.3.ffn.out", "output".
 *   jvp   jv[B, T, width] = J v      vjp   uj[B, T, width] = u J      J = d to / d from
 * in the model's dtype; input and output may be the same array. Neither touches a gradient, and neither
 * needs any: gradients=0, keep_states=0 and every recompute will do. */
LNSTAB_API int32_t lnstab_model_jvp(lnstab_model *m, const char *from, const char *to,
                                    const void *v, void *jv);
LNSTAB_API int32_t lnstab_model_vjp(lnstab_model *m, const char *from, const char *to,
                                    const void *u, void *uj);

/* Sensitivity of the rows first..first + rows - 1 to themselves: of the block that they have of J = d to/d from,
 * at the point of the last forward; rows are tokens, counted b T + t: (b T + t, 1) is a token, (b T, T) a sequence,
 * (0, B T) all. from and to as in jvp. doc/theory.md, Sensitivity.
 *
 * singular_values: sigma[k], the k largest, descending, by Lanczos on jvp and vjp, residual[k] =
 * ||u J - sigma v||, measured: within it of sigma is a singular value. iterations, of a jvp and a vjp each, and
 * converged, how many of the leading residuals are at most 1e-10 sigma[0] (float32: 1e-5), may be NULL; after 300
 * restarts it ends with those there are. A copy of a multiple value counts as a value. Where a product is not
 * finite all are NaN, and none has converged. Finite-depth growth per layer is ln(sigma[0])/layers.
 * k is at most krylov/2 and rows width; without the key krylov it is LNSTAB_ERROR_UNAVAILABLE. Random vectors are
 * of a stream of their own: the same call gives the same numbers. A larger krylov takes fewer iterations.
 *
 * jacobian_frobenius: ||J||_F as the root of the mean of ||J z||^2 over z of random signs, probes >= 2 of them,
 * a jvp each, and the standard error of it. seed and the place in the block decide z. Needs no krylov. */
LNSTAB_API int32_t lnstab_model_singular_values(lnstab_model *m, const char *from, const char *to,
                                                int64_t first, int64_t rows, int32_t k,
                                                double *sigma, double *residual,
                                                int32_t *iterations, int32_t *converged);
LNSTAB_API int32_t lnstab_model_jacobian_frobenius(lnstab_model *m, const char *from,
                                                   const char *to, int64_t first, int64_t rows,
                                                   int32_t probes, uint64_t seed, double *value,
                                                   double *standard_error);

/* lower <= ||W||_2 <= upper for a matrix of weights, proved: upper by a Cholesky factorisation that ran to its end,
 * with all its roundings allowed for (doc/theory.md, Sensitivity); the two are 1e-8 of it apart or less. W of 0
 * gives 0; both are NaN where an entry is not finite. Needs krylov >= 2 and no forward. Cost: with n the smaller
 * side of W, one product of n^2 times the other side and some n^3/3. */
LNSTAB_API int32_t lnstab_model_spectral_norm(lnstab_model *m, const char *parameter, double *lower,
                                              double *upper);

/* Health of a set of tensors. what is "parameters", "gradients" (of the parameters; their norm is
 * grad_norm, each parameter counted once) or "states" (those kept, of the last forward). Outputs may
 * be NULL: norm, the square root of the sum of squares, without overflow or underflow on the way;
 * sum_of_squares; the number of infinite or NaN and of subnormal entries; the name of the first tensor
 * with a non-finite entry, NULL if there is none. Non-finite entries make norm and sum non-finite. */
LNSTAB_API int32_t lnstab_model_health(lnstab_model *m, const char *what, double *norm,
                                       double *sum_of_squares, int64_t *nonfinite,
                                       int64_t *subnormal, const char **first_bad);

/* Tensors by place (parameters first, then states) or by name. Parameters:
 *   embed.token [V, d] · embed.position [max_tokens, d] · norm_embed.{gamma, bias} · norm_final.{gamma,
 *   bias} · head.w [V, d], not where the head is tied: that is embed.token
 *   layer.3.attn.{w_q, w_o} [d, d], {w_k, w_v} [d kv_heads/heads, d], and b_q, b_k, b_v, b_o
 *   layer.3.attn.norm_q.{gamma, bias}, norm_k, of qk_norm
 *   layer.3.ffn.{w_1, w_3} [ffn_width, d], w_2 [d, ffn_width], and b_1, b_2, b_3; w_3 if gated
 *   layer.3.attn.norm_in.{gamma, bias} [d], norm_out, norm_res, ffn the same
 * norm=rms has no bias, and no linear map has one with bias=0.
 * States, [B, T, d] unless told, of the sublayers attn and ffn of each layer:
 *   in x · f_in kappa N_in(x) · branch F(f_in) (keep_states >= 1, or there is an N_out)
 *   f_out N_out(branch) (keep_states >= 1)
 *   sum alpha x + beta f_out · out N_res(sum)
 *   attn.{q, k, v} of the linear maps · q_hat, k_hat after qk_norm and rotary positions
 *   attn.weights [B, heads, T, T] · attn.heads their values, before W_O
 *   ffn.pre before the activation, but for an ungated ReLU · up of w_3 · hidden what W_2 reads
 * and embed.in (given or looked up, with positions added), embed.out (after the embedding norm: the input
 * of layer 1), output (after the final norm), logits [B, T, V], token_loss [B, T].
 * "layer.3.x1" to "x5" are Xiong 2020's names where the placement has them (table "placements",
 * column states; of mix, its first layers). Where a norm is absent the states on its two sides are the
 * same memory; only f_in has a gradient of its own, as that of in also has what comes down the residual
 * path. An unknown or not kept name gives NULL, with a message. _at gives NULL outside 0..count-1; the
 * data of a tensor that is not kept is NULL. */
LNSTAB_API int32_t lnstab_model_tensor_count(lnstab_model *m);
LNSTAB_API const lnstab_tensor *lnstab_model_tensor_at(lnstab_model *m, int32_t i);
LNSTAB_API const lnstab_tensor *lnstab_model_tensor(lnstab_model *m, const char *name);

/* Parts of a tensor. data and grad may be written by the host; the library cannot see that a parameter was,
 * so run forward before the next backward, jvp or vjp. grad is NULL where none is held: a
 * state has one with keep_states=2, "embed.in" and "embed.out" also with gradients=1, "logits" has
 * none. role is
 * "parameter" or "state". The sizes of a state are those of the last forward (0 before it). size
 * gives 0 for an axis outside 0..rank-1. */
LNSTAB_API const char *lnstab_tensor_name(const lnstab_tensor *t);
LNSTAB_API const char *lnstab_tensor_role(const lnstab_tensor *t);
LNSTAB_API void *lnstab_tensor_data(const lnstab_tensor *t);
LNSTAB_API void *lnstab_tensor_grad(const lnstab_tensor *t);
LNSTAB_API int32_t lnstab_tensor_dtype(const lnstab_tensor *t);
LNSTAB_API int32_t lnstab_tensor_rank(const lnstab_tensor *t);
LNSTAB_API int64_t lnstab_tensor_size(const lnstab_tensor *t, int32_t axis);

/* Overwrites a parameter with count values of the given dtype, any of the four, rounded to the model's. count must be
 * the tensor's. */
LNSTAB_API int32_t lnstab_model_set_tensor(lnstab_model *m, const char *name, const void *values,
                                           int32_t dtype, size_t count);

/* ---- 4. Normalisation of a host's own rows ------------------------------------------------ */

/* A norm of the configuration's kind, width, eps and dtype, gamma 1 and bias 0. The other keys do not
 * matter to it. The message of a failure is the configuration's.
 *   layer: y = gamma (x - mean)/s + bias, s^2 = biased variance + eps
 *   rms:   y = gamma x/s, s^2 = mean of x^2 + eps
 * With eps = 0 a constant row (rms: a row of zeros) has no norm: NaN.
 * Rows are of the norm's dtype, computed on in double and rounded once, to nearest, ties to even; the mean
 * is held to twice the digits of a double, so that rows at 2^52 times their spread lose nothing. gamma,
 * bias, dgamma and dbias are of that dtype too, but float32 where it is bfloat16 or float16: a trainer
 * then keeps its parameters in float32, as a step of 1e-3 would be lost on a gamma of 1 in bfloat16.
 * In all calls x is rows of width elements, ld* elements from one row to the next (any sign, at least
 * width in size for outputs); row outputs and dx may be the same array as x or dy, with
 * the same ld. */
LNSTAB_API int32_t lnstab_norm_create(lnstab_config *c, lnstab_norm **out);
LNSTAB_API void lnstab_norm_destroy(lnstab_norm *n);
LNSTAB_API const char *lnstab_norm_message(const lnstab_norm *n);

/* Copies gamma[width] and bias[width]; NULL stands for 1 and for 0. norm=rms has no bias: giving one is
 * LNSTAB_ERROR_ARGUMENT. Prepares what lnstab_norm_jacobian needs of gamma, in some thirty passes over it. */
LNSTAB_API int32_t lnstab_norm_set_affine(lnstab_norm *n, const void *gamma, const void *bias);

/* y = N(x), row by row. */
LNSTAB_API int32_t lnstab_norm_forward(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                                       void *y, ptrdiff_t ldy);

/* dx = dy J(x); dgamma[width] and dbias[width] are added to; each of the three may be NULL. With dgamma and
 * dbias NULL this is the vjp, row by row: dx = u J for dy = u. */
LNSTAB_API int32_t lnstab_norm_backward(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                                        const void *dy, ptrdiff_t lddy, void *dx, ptrdiff_t lddx,
                                        void *dgamma, void *dbias);

/* jv = J(x) v, row by row. */
LNSTAB_API int32_t lnstab_norm_jvp(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                                   const void *v, ptrdiff_t ldv, void *jv, ptrdiff_t ldjv);

/* Per row, in double, each output [rows] or NULL: rstd = 1/s; of the row's Jacobian J, for any gamma,
 * spectral ||J||_2, frobenius ||J||_F, and smallest, the smallest singular value that is not 0, 0 if there is
 * none. Which ones are 0 follows from the entries, never from a threshold on rounding (doc/theory.md,
 * Jacobians): of width singular values, one for each gamma that is 0; one of layer, if no gamma is; one if
 * eps = 0, unless the entries of x where gamma is 0 differ (rms: are not all 0).
 * Error: 1e-12 max|gamma|/s. Singular values below 1e-60 max|gamma|/s are not resolved, and frobenius needs
 * the squares of gamma to be in the range of a double.
 * A row with a NaN or an infinity, or without a norm (eps = 0), has NaN for all three; so has every row if
 * a gamma is not finite.
 * Cost: as forward, and for spectral and smallest, where |gamma| differs, mostly 2 to 5 passes over the row
 * with a division each, at most 128; O(width) in any case. */
LNSTAB_API int32_t lnstab_norm_jacobian(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                                        double *rstd, double *spectral, double *frobenius,
                                        double *smallest);

/* The Jacobian of one row x[width] itself, in double: J[width, width], J[i][j] = d y_i/d x_j. Error: 1e-12
 * max|gamma|/s each. No entry is finite for a row that lnstab_norm_nonfinite counts. O(width^2). */
LNSTAB_API int32_t lnstab_norm_jacobian_dense(lnstab_norm *n, const void *x, double *J);

/* Rows that have no finite norm: with a NaN or an infinity in them, or whose 1/s is not finite (eps = 0). *count
 * (may be NULL) is their number; the indices of the first capacity of them, ascending, go to places, which
 * may be NULL if capacity is 0. More than capacity of them is no error. Cost: less than forward. */
LNSTAB_API int32_t lnstab_norm_nonfinite(lnstab_norm *n, size_t rows, const void *x, ptrdiff_t ldx,
                                         size_t *count, size_t *places, size_t capacity);

/* ---- 5. Theory ---------------------------------------------------------------------------- */

/* The value that a claim of the table "claims" predicts for a configuration. arguments are words as in
 * lnstab_config_set, "layer=6 tokens=32"; the table says which ones a claim takes, and all of them are
 * needed. A configuration outside the claim's assumptions is LNSTAB_ERROR_UNAVAILABLE, and the
 * message names the first key that is in the way. O(layers). */
LNSTAB_API int32_t lnstab_claim_predict(lnstab_config *c, const char *claim, const char *arguments,
                                        double *value);

/* Both sides of a claim on a model as its last calls left it: stated, what the claim says, and measured,
 * what the model has. The table's relation stands between them, measured <= stated; its kind says when:
 *   identity, inequality    of every model, up to rounding
 *   expectation             of the means over weights and inputs
 *   limit                   of the means, as the width grows
 *   probability             of a share of the tokens or models, over many of them
 *   published               as the paper has it, not proved: a violation is a finding
 * A claim that lnstab_claim_predict evaluates states the same here; the others are about the weights and
 * states that there are, trained or not. Of the arguments those are given that ask about a place or a
 * level: layer, sublayer, epsilon, level. The model tells the others: tokens is T, start the largest ||x||/sqrt d
 * at embed.out, coherence that of the costates behind the last norm, delta and tau those of ||x||^2 before
 * the last norm.
 * The column needs says what must have been done, LNSTAB_ERROR_UNAVAILABLE names what was not: "states" is
 * a forward with keep_states >= 1; "costates" a backward with keep_states=2, with gradients that were 0
 * before it; "loss" that it was that of a loss; "one-sequence" B = 1; "one-token" that one token was
 * counted; "unmasked" that no token was masked, "all-tokens" the same and that a loss counted all; "plain-norms" gamma 1 and bias 0 in
 * every norm; "pairs" an even B, sequence b and b + B/2 being paired samples of two distributions, masked alike;
 * "krylov" a krylov of 2 or more, and "branches" the same where a sublayer has neither N_out nor N_res; "" that no
 * single model tells it. measured is not finite where the model's states are not, and NaN where nothing is
 * measured, as the cosine of one token with the others. What roundings of the states explain is no part of what an
 * inequality measures; an identity that underflow or cancellation leaves no digits is LNSTAB_ERROR_UNAVAILABLE. A
 * spectral norm that is measured comes from below, one that is stated from above: both as close as krylov gets them.
 * Cost: mostly a pass over the states; with norms of weights, those of lnstab_model_spectral_norm once after each
 * forward, for every sublayer up to the place, of attention two a head; rankone.identity (B T)^2 (width + ffn_width). */
LNSTAB_API int32_t lnstab_claim_measure(lnstab_model *m, const char *claim, const char *arguments,
                                        double *stated, double *measured);

#ifdef __cplusplus
}
#endif

#endif
