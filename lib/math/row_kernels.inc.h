/* Template: every kernel of a type that models are made of, and their table. */

#include "math/convert.inc.h"

#include "math/elements.inc.h"

#include "math/activation.inc.h"
#include "math/health_rows.inc.h"
#include "math/loss_rows.inc.h"
#include "math/norm_rows.inc.h"
#include "math/rotary_rows.inc.h"
#include "math/softmax_rows.inc.h"

#include "math/norm_jacobian.inc.h"

#include "math/kernel_table.inc.h"
