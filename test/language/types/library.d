/* names of the D libraries are there without being asked for */
BEGIN { printf("%d %d %d\n", EPERM, ENOENT, SIGKILL); exit(0); }
