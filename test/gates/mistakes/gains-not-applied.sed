# The gains of the initialisation are not applied.
# lib/model/plan.c : api/oracle
s|init\.value \*= gain;|(void)gain;|
