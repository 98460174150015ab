# The final norm is left out.
# lib/analysis/meanfield.c : unit/costate
s|\.norm_res = spec->final_norm|.norm_res = 0 * spec->final_norm|
