# Of two scoped keys the earlier one counts.
# lib/model/spec_rows.c : unit/spec
s/for \(int i = 0; i < s->scoped_count; \+\+i\) \{$/for (int i = s->scoped_count - 1; i >= 0; --i) {/
