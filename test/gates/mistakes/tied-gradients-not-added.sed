# The gradient of a tied matrix is that of the head alone.
# lib/model/passes.c : api/oracle
/^void lnstab__model_backward/,/^}/s|if \(m->embedding\.table\.data\)|if (m->embedding.table.data \&\& m->spec.head != LNSTAB__HEAD_TIED)|
