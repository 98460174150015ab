/* Ctrl-C and SIGTERM set a flag that the workers look at between two models. */
#ifndef TOOL_INTERRUPT_H
#define TOOL_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupted(void);

#endif
