#ifndef LNSTAB_MATH_PROCESSOR_H
#define LNSTAB_MATH_PROCESSOR_H

/* The widest vectors that this processor has and its system saves. */
enum lnstab__vectors { LNSTAB__VECTORS_BASE, LNSTAB__VECTORS_AVX2, LNSTAB__VECTORS_AVX512 };

enum lnstab__vectors lnstab__processor_vectors(void);

#endif
