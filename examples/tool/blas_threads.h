/* The threads of the BLAS belong to the host, and here this program is the host. */
#ifndef TOOL_BLAS_THREADS_H
#define TOOL_BLAS_THREADS_H

/* Sets whatever BLAS this process has to one thread: the workers use the processors already, and
 * the order of a product's sums must not depend on --threads. */
void blas_threads_one(void);

#endif
