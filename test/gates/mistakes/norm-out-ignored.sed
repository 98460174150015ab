# norm_out is never built.
# lib/model/plan_sublayer.c : api/oracle
s|row\.norm_out, 1\.0|0 * row.norm_out, 1.0|
