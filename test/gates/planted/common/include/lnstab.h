/* A toy of the library's shape: every gate passes on it.  A planted violation
   is this tree with a few files replaced. */
#ifndef LNSTAB_H
#define LNSTAB_H

#include <stdint.h>

#define LNSTAB_VERSION_MAJOR 0
#define LNSTAB_VERSION_MINOR 1
#define LNSTAB_VERSION_PATCH 0

#if defined(__GNUC__)
#define LNSTAB_API __attribute__((visibility("default")))
#else
#define LNSTAB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define LNSTAB_OK ((int32_t)0)
#define LNSTAB_ERROR_ARGUMENT ((int32_t)-1)

typedef struct lnstab_toy lnstab_toy;

LNSTAB_API int32_t lnstab_version(void);
LNSTAB_API int32_t lnstab_toy_create(int32_t size, lnstab_toy **out);
LNSTAB_API double lnstab_toy_sum(const lnstab_toy *toy, const double *x);
LNSTAB_API void lnstab_toy_destroy(lnstab_toy *toy);

#ifdef __cplusplus
}
#endif

#endif
