/* The keys threads and split_products: the same numbers, the same bits again, one allocation, and no thread
 * but those that were asked for. */

#define _GNU_SOURCE /* RTLD_NEXT */

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/counted_threads.h"
#include "support/handles.h"
#include "support/main.h"

/* ---- all that a model gives for a batch ---- */

/* Large enough that norms, activations, heads and the loss are shared by two that sleep, and by up to 7, with the
 * products, that are awake. More columns than rows in the FFN, 520 to 512: its products are cut into columns. */
enum { B = 8, T = 64, D = 132, VOCAB = 101, N = B * T * D };

static const char *const models[] = {
    "dtype=float64 layers=2 heads=6 placement=post activation=gelu",
    "dtype=float32 layers=2 heads=6 kv_heads=2 placement=pre activation=silu gated=1 norm=rms "
    "qk_norm=head positions=rotary causal=1 head=tied",
    "dtype=float64 heads=4 kv_heads=1 placement=peri activation=silu gated=1 soft_cap=2 causal=1 "
    "keep_states=2 positions=learned label_smoothing=0.1",
    "dtype=float32 heads=2 placement=deepnorm activation=gelu_tanh recompute=blocks soft_cap=1 "
    "qk_norm=full embed_norm=1",
    "dtype=float64 heads=3 placement=output-norm activation=gelu recompute=attention out_proj=0 "
    "positions=sinusoidal",
    "dtype=float32 heads=6 placement=custom norm_in=1 norm_out=1 norm_res=1 kappa=0.5 "
    "activation=gelu keep_states=2 bias=0",
};

struct run {
    lnstab_model *m;
    int32_t dtype;
    double loss;
    int64_t counted;
    void *jv, *uj;
};

static lnstab_model *threaded(const char *words, int threads, int split) {
    char all[500];
    snprintf(all, sizeof all,
             "layers=1 width=132 ffn_width=520 vocab=101 max_batch=8 max_tokens=64 %s threads=%d "
             "split_products=%d",
             words, threads, split);
    threads_created = 0;
    lnstab_model *m = new_model(all);
    ck_assert_int_eq(threads_created, threads - 1);
    ck_good(lnstab_model_message(m), lnstab_model_init(m, 7));
    perturb(m, 8, 0.05);
    return m;
}

static void step(struct run *r, int64_t batch, int64_t length, int vocab) {
    enum { MOST = 4096 };
    static int32_t tokens[MOST], targets[MOST];
    static uint8_t keep[MOST];
    for (int i = 0; i < MOST; ++i) {
        tokens[i] = i * i % 89 % vocab;
        targets[i] = i % 5 ? i * 7 % vocab : -100;
        keep[i] = (uint8_t)(i % 11 != 3);
    }
    targets[0] = 1;
    const char *message = lnstab_model_message(r->m);
    ck_good(message, lnstab_model_zero_grads(r->m));
    ck_good(message, lnstab_model_forward(r->m, batch, length, tokens, keep));
    ck_good(message, lnstab_model_loss(r->m, targets, &r->loss, &r->counted));
    ck_good(message, lnstab_model_backward(r->m, NULL));
}

static struct run run_of(const char *words, int threads, int split) {
    struct run r = {.m = threaded(words, threads, split)};
    r.dtype = lnstab_tensor_dtype(lnstab_model_tensor_at(r.m, 0));
    void *v = normals(3, 1, N, r.dtype);
    r.jv = normals(3, 2, N, r.dtype);
    r.uj = normals(3, 2, N, r.dtype);
    step(&r, B, T, VOCAB);
    ck_good(lnstab_model_message(r.m), lnstab_model_jvp(r.m, "embed.out", "output", v, r.jv));
    ck_good(lnstab_model_message(r.m), lnstab_model_vjp(r.m, "embed.out", "output", v, r.uj));
    step(&r, B, T, VOCAB); /* a vjp recomputes, and costates are those of this backward */
    free(v);
    return r;
}

static void run_end(struct run *r) {
    lnstab_model_destroy(r->m);
    free(r->jv);
    free(r->uj);
}

/* ---- doc/numerics.md's yardstick ---- */

static double largest(const void *x, int32_t dtype, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; ++i) {
        most = fmax(most, fabs(entry(x, dtype, i)));
    }
    return most;
}

static void compare(const char *what, const void *got, const void *wanted, int32_t dtype, size_t n,
                    double unit) {
    const double bound = (dtype == LNSTAB_FLOAT64 ? 1e-10 : 1e-5) * unit;
    for (size_t i = 0; i < n; ++i) {
        const double a = entry(got, dtype, i), b = entry(wanted, dtype, i);
        if (!(fabs(a - b) <= bound)) {
            ck_abort_msg("%s [%zu] is %.17g, not %.17g (bound %.3g)", what, i, a, b, bound);
        }
    }
}

static double largest_gradient(const struct run *r) {
    double most = 0;
    for (int32_t i = 0; i < lnstab_model_tensor_count(r->m); ++i) {
        const lnstab_tensor *t = lnstab_model_tensor_at(r->m, i);
        if (lnstab_tensor_role(t)[0] == 'p') {
            most = fmax(most, largest(lnstab_tensor_grad(t), r->dtype, tensor_count(t)));
        }
    }
    return most;
}

static void compare_all(const struct run *got, const struct run *wanted) {
    const double unit = largest_gradient(wanted);
    for (int32_t i = 0; i < lnstab_model_tensor_count(wanted->m); ++i) {
        const lnstab_tensor *a = lnstab_model_tensor_at(got->m, i);
        const lnstab_tensor *b = lnstab_model_tensor_at(wanted->m, i);
        const size_t n = tensor_count(b);
        const void *x = lnstab_tensor_data(b), *grad = lnstab_tensor_grad(b);
        if (x) {
            compare(lnstab_tensor_name(b), lnstab_tensor_data(a), x, wanted->dtype, n,
                    largest(x, wanted->dtype, n));
        }
        if (grad) {
            compare(lnstab_tensor_name(b), lnstab_tensor_grad(a), grad, wanted->dtype, n,
                    fmax(unit, largest(grad, wanted->dtype, n)));
        }
    }
    compare("jvp", got->jv, wanted->jv, wanted->dtype, N, largest(wanted->jv, wanted->dtype, N));
    compare("vjp", got->uj, wanted->uj, wanted->dtype, N, largest(wanted->uj, wanted->dtype, N));
    ck_assert_double_eq_tol(got->loss, wanted->loss,
                            (wanted->dtype == LNSTAB_FLOAT64 ? 1e-10 : 1e-5) * wanted->loss);
    ck_assert_int_eq(got->counted, wanted->counted);
}

static void compare_bits(const struct run *a, const struct run *b) {
    for (int32_t i = 0; i < lnstab_model_tensor_count(b->m); ++i) {
        const lnstab_tensor *s = lnstab_model_tensor_at(a->m, i);
        const lnstab_tensor *t = lnstab_model_tensor_at(b->m, i);
        const size_t bytes = tensor_count(t) * element_size(b->dtype);
        if (lnstab_tensor_data(t)) {
            ck_assert_mem_eq(lnstab_tensor_data(s), lnstab_tensor_data(t), bytes);
        }
        if (lnstab_tensor_grad(t)) {
            ck_assert_mem_eq(lnstab_tensor_grad(s), lnstab_tensor_grad(t), bytes);
        }
    }
    ck_assert_mem_eq(a->jv, b->jv, N * element_size(b->dtype));
    ck_assert_mem_eq(a->uj, b->uj, N * element_size(b->dtype));
    ck_assert(a->loss == b->loss && a->counted == b->counted);
}

static const struct choice { int threads, split; } choices[] = {{2, 0}, {3, 1}, {7, 1}};

enum { MODELS = sizeof models / sizeof *models, CHOICES = sizeof choices / sizeof *choices };

START_TEST(test_numbers_agree) {
    struct run wanted = run_of(models[_i], 1, 0);
    ck_assert_double_gt(wanted.loss, 0);
    ck_assert_int_gt((int)wanted.counted, B * T / 2);
    for (size_t i = 0; i < CHOICES; ++i) {
        struct run got = run_of(models[_i], choices[i].threads, choices[i].split);
        compare_all(&got, &wanted);
        run_end(&got);
    }
    run_end(&wanted);
}
END_TEST

/* Every thread has its part by the sizes alone, and sums of parts are added in their order. */
START_TEST(test_bits_repeat) {
    for (size_t i = 0; i < 2; ++i) {
        struct run first = run_of(models[_i], choices[i].threads, choices[i].split);
        struct run second = run_of(models[_i], choices[i].threads, choices[i].split);
        compare_bits(&first, &second);
        run_end(&first);
        run_end(&second);
    }
}
END_TEST

/* Nothing to share: the same bits as of one thread. */
START_TEST(test_one_token) {
    struct run alone = {.m = threaded(models[_i], 1, 0)};
    struct run many = {.m = threaded(models[_i], 7, 0)};
    step(&alone, 1, 1, VOCAB);
    step(&many, 1, 1, VOCAB);
    ck_assert_double_eq(many.loss, alone.loss);
    for (int32_t i = 0; i < lnstab_model_tensor_count(many.m); ++i) {
        const lnstab_tensor *s = lnstab_model_tensor_at(many.m, i);
        const lnstab_tensor *t = lnstab_model_tensor_at(alone.m, i);
        if (lnstab_tensor_role(t)[0] == 'p') {
            ck_assert_mem_eq(lnstab_tensor_grad(s), lnstab_tensor_grad(t),
                             tensor_count(t) * element_size(lnstab_tensor_dtype(t)));
        }
    }
    lnstab_model_destroy(alone.m);
    lnstab_model_destroy(many.m);
}
END_TEST

/* ---- memory, fork, threads that do not start ---- */

START_TEST(test_one_allocation) {
    size_t one = 0;
    for (int threads = 1; threads <= 8; threads *= 2) {
        struct counting counting = {.left = 2};
        char words[100];
        size_t bytes;
        double loss;
        lnstab_config *c;
        lnstab_model *m;
        static const int32_t ids[4] = {1, 2, 3, 0};
        snprintf(words, sizeof words, "layers=1 width=64 vocab=9 threads=%d split_products=1",
                 threads);
        ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counting, &c),
                         LNSTAB_OK);
        ck_good(lnstab_config_message(c), lnstab_config_set(c, words));
        ck_good(lnstab_config_message(c), lnstab_model_size(c, &bytes));
        ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
        ck_assert_uint_eq(counting.last_size, bytes);
        ck_assert_uint_gt(bytes, one); /* the pool and each worker's room are in it */
        one = bytes;
        ck_good(lnstab_model_message(m), lnstab_model_init(m, 1));
        ck_good(lnstab_model_message(m), lnstab_model_forward(m, 1, 4, ids, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_loss(m, ids, &loss, NULL));
        ck_good(lnstab_model_message(m), lnstab_model_backward(m, NULL));
        lnstab_model_destroy(m);
        lnstab_config_destroy(c);
        ck_assert_int_eq(counting.taken, 2);
        ck_assert_int_eq(counting.given, 2);
    }
}
END_TEST

START_TEST(test_threads_that_do_not_start) {
    struct counting counting = {.left = 3};
    lnstab_config *c;
    lnstab_model *m = NULL;
    ck_assert_int_eq(lnstab_config_create(counting_alloc, counting_release, &counting, &c),
                     LNSTAB_OK);
    ck_good(lnstab_config_message(c), lnstab_config_set(c, "layers=1 width=8 threads=9"));
    threads_left = 3;
    ck_assert_int_eq(lnstab_model_create(c, &m), LNSTAB_ERROR_MEMORY);
    threads_left = 100000;
    ck_assert_ptr_null(m);
    ck_assert_str_eq(lnstab_config_message(c),
                     "threads 9: only 3 of 8 more threads could be started");
    ck_assert_int_eq(counting.given, 1);
    ck_good(lnstab_config_message(c), lnstab_model_create(c, &m));
    lnstab_model_destroy(m);
    lnstab_config_destroy(c);
    ck_assert_int_eq(counting.given, 3);
}
END_TEST

/* The child has no workers, does their parts itself, and has the parent's bits. Rows are many and products
 * small, so that no BLAS has threads of its own to miss. */
START_TEST(test_after_fork) {
    int status = -1;
    struct run r = {.m = new_model("layers=1 width=8 ffn_width=8 vocab=8 max_batch=64 "
                                   "max_tokens=64 threads=3 split_products=1")};
    ck_good(lnstab_model_message(r.m), lnstab_model_init(r.m, 7));
    step(&r, 64, 64, 8);
    const double loss = r.loss;
    const size_t n = tensor_count(lnstab_model_tensor(r.m, "layer.1.attn.w_o")) * sizeof(float);
    void *grad = memcpy(malloc(n), grad_of(r.m, "layer.1.attn.w_o"), n);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); /* Check has one of its own, which ends more than the child */
        alarm(60);                /* one that waits for threads that are not there ends */
        step(&r, 64, 64, 8);
        const int same = r.loss == loss && memcmp(grad, grad_of(r.m, "layer.1.attn.w_o"), n) == 0;
        lnstab_model_destroy(r.m);
        _exit(same ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
    step(&r, 64, 64, 8);
    ck_assert_double_eq(r.loss, loss);
    lnstab_model_destroy(r.m);
    free(grad);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("threads");
    TCase *cases = tcase_create("threads");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, test_numbers_agree, 0, MODELS);
    tcase_add_loop_test(cases, test_bits_repeat, 0, MODELS);
    tcase_add_loop_test(cases, test_one_token, 0, MODELS);
    tcase_add_test(cases, test_one_allocation);
    tcase_add_test(cases, test_threads_that_do_not_start);
    tcase_add_test(cases, test_after_fork);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
