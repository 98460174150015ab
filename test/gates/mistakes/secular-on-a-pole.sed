# A pole that is met exactly is divided by.
# lib/math/secular.c : unit/secular
s/gap != 0\.0 \? gap : tiny/gap/
