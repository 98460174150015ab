#include <lnstab.h>
