/* With one buffer, the cleaner frees it between two ticks, time and again. */
/* @stderr: any */
/* (A tick that comes before the cleaner finds it busy, and is not a round.) */
int i;
#pragma D option nspec=1
tick-100ms { spec = speculation(); }
tick-100ms /spec/ { speculate(spec); printf("round %d", i); }
tick-100ms /spec && i % 2/ { discard(spec); }
tick-100ms /spec && !(i % 2)/ { commit(spec); }
tick-100ms /spec/ { printf(" end of %d\n", i); }
tick-100ms /spec && ++i == 6/ { exit(0); }
