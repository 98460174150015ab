# The gradient of the logits ends with the last whole block of rows.
# lib/model/passes.c : unit/passes
s|first < run->rows; first|first + LNSTAB__LOGIT_ROWS <= run->rows; first|
