typedef int lnstab__deep;
