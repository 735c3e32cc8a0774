/* Two hundred of a thousand speculations at once: all different, one is committed. */
#pragma D option nspec=1000
#pragma D option specsize=4k
tick-1ms /n < 200/ { this->s = speculation(); n++; total += this->s; speculate(this->s); trace(this->s); }
tick-1ms /n == 200/ { n++; commit(123); }
tick-1ms /n == 201/ { printf(" of %d\n", total); exit(0); }
