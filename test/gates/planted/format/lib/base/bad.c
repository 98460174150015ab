typedef   int lnstab__x ;
