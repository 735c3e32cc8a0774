/* progenyof(): oneself, the parent, init, nobody */
BEGIN { printf("%d %d %d %d\n", progenyof(pid), progenyof(ppid), progenyof(1), progenyof(-2)); exit(0); }
