/* Whole tensors of a model. */
#ifndef TOOL_TENSORS_H
#define TOOL_TENSORS_H

#include "lnstab.h"

#include <stdbool.h>

/* Entries, with the sizes that it has now. */
size_t tensor_count(const lnstab_tensor *t);

/* Of the entries of a float64 tensor, and of its gradient. */
double tensor_norm(const lnstab_tensor *t);
double tensor_gradient_norm(const lnstab_tensor *t);

#endif
