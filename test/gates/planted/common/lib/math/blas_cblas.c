typedef int lnstab__not_empty;
#ifdef LNSTAB_CBLAS
#include <cblas.h>
#endif
