#include "made_by_the_makefile.h"
