# alpha and beta are exchanged.
# lib/model/plan_sublayer.c : api/oracle
s|row\.alpha, l|row.swap, l|;s|row\.beta, l|row.alpha, l|;s|row\.swap, l|row.beta, l|
