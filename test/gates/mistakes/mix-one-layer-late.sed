# mix changes its placement one layer too early.
# lib/model/spec_rows.c : api/oracle
s|k / 2 \+ 1 <= s->switch_layer|k / 2 + 1 < s->switch_layer|
