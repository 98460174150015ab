# With gradients_of=w_2, what stands before the first W_2 in its layer has gradients.
# lib/model/plan.c : unit/passes
s/ && !\(is_w_2 && p->is_before_w_2\)//
