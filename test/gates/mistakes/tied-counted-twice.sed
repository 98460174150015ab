# The norm of the parameters and of the gradients counts a tied matrix twice.
# lib/analysis/health.c : api/cases
s|^( *)m->kernels->health\(lnstab__tensor_count\(&m->tensors\[i\]\), array, &health\);|&\n\1if (i == 0 \&\& set != LNSTAB__STATES \&\& m->spec.head == LNSTAB__HEAD_TIED) {\n\1    m->kernels->health(lnstab__tensor_count(\&m->tensors[i]), array, \&health);\n\1}|
