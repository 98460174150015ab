#include "base/memory.h"
