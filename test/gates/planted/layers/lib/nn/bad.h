#include "api/toy.h"
