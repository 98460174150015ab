# Head h reads key and value head h modulo their number.
# lib/nn/panel.c : api/oracle
s|h / group\)|h % f->kv_heads)|;s|h % group == 0|h + 0 * group < f->kv_heads|
