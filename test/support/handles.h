#ifndef LNSTAB_TEST_HANDLES_H
#define LNSTAB_TEST_HANDLES_H

#include <check.h>
#include <stdint.h>

#include "lnstab.h"

/* Handles for tests: each fails the test with the library's own message. */

#define ck_good(handle_message, call)                                                              \
    do {                                                                                           \
        int32_t status_ = (call);                                                                  \
        ck_assert_msg(status_ == LNSTAB_OK, "%s: %s (%s)", #call, lnstab_status_text(status_),     \
                      handle_message);                                                             \
    } while (0)

lnstab_config *new_config(const char *assignments);
lnstab_model *new_model(const char *assignments);
lnstab_model *new_sharing_model(const char *assignments, lnstab_model *lender);

/* The call that returned status was refused in these words. */
void expect_message(lnstab_model *m, int32_t status, int32_t wanted, const char *message);

/* Bytes of an element, and half the distance from 1 to the next number. */
size_t element_size(int32_t dtype);
double element_roundoff(int32_t dtype);

/* Entry i of an array of the given dtype; a value is rounded to the nearest. */
double entry(const void *array, int32_t dtype, size_t i);
void set_entry(void *array, int32_t dtype, size_t i, double value);

/* The number of elements, and the Euclidean norm of an array. */
size_t tensor_count(const lnstab_tensor *t);
double array_norm(const void *array, int32_t dtype, size_t n);

/* The data or the gradient of a tensor that must exist. */
void *data_of(lnstab_model *m, const char *name);
void *grad_of(lnstab_model *m, const char *name);

/* n host normals of a stream, in the dtype; free with free(). */
void *normals(uint64_t seed, uint32_t stream, size_t n, int32_t dtype);

/* Adds amplitude times normals, of a stream named by the tensor's name, to every parameter: biases and
 * gammas then differ from 0 and 1. */
void perturb(lnstab_model *m, uint64_t seed, double amplitude);

#endif
