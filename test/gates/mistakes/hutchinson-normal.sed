# Probes are normal numbers, not signs.
# lib/analysis/sensitivity.c : api/sensitivity
s|lnstab__draw_uniform|lnstab__draw_normal|;s|signs\[i\] = signs\[i\] < 0\.5 \? -1 : 1;|signs[i] *= 1;|
