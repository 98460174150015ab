# A new model sets the gains that it shares back to 1.
# lib/model/model.c : api/sharing
s/!t->is_lent && //
