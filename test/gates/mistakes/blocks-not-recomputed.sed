# States that are not kept are not made anew.
# lib/model/passes.c : api/recompute
s|m->spec\.recompute == LNSTAB__RECOMPUTE_BLOCKS|0|
