# A slice of columns gets the bias's first entries.
# lib/nn/linear.c : api/threads
s|lnstab__at\(k, p->bias, span.first\),$|p->bias,|
