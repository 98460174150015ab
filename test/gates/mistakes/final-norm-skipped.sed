# There is no final norm.
# lib/model/layout.c : api/oracle
s|m->spec\.final_norm, 1\.0|0 * m->spec.final_norm, 1.0|
