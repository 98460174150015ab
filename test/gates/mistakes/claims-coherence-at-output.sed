# The coherence that a model tells is that of the gradients at the output.
# lib/analysis/scene_told.c : unit/scene_told
s|spec->final_norm \? last->out\.grad : last->sum\.grad|spec->final_norm ? s->m->output.grad : last->out.grad|
