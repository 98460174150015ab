# A comparison loses a NaN.
# lib/analysis/scene.h : unit/scene
s/return a >= b \|\| isnan\(a\) \? a : b;/return a >= b ? a : fmax(a, b);/
