# kappa is 1.
# lib/model/plan_sublayer.c : api/oracle
s|row\.norm_in, kappa|row.norm_in, 0 * kappa + 1|
