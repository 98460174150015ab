#include "sum.h"

#include <cblas.h>
typedef int lnstab__not_empty;
