# mix changes its placement one layer too early.
# lib/model/spec.c : api/oracle
s|l <= s->switch_layer|l < s->switch_layer|
