# The standard error of a root is that of the square.
# lib/analysis/sensitivity.c : api/sensitivity
s|error / \(2 \* root\)|error / root|
