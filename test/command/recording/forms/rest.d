/* Speculations, snapshots, drops of dynamic variables, a clause in two pieces. */
#pragma D option interval=20ms
#pragma D option dynvarsize=2k
syscall::write:entry /pid == $target && n++ % 7 == 0/ { self->s = speculation(); speculate(self->s); printf("spoken %d\n", arg2); }
syscall::write:return /self->s/ { commit(self->s); self->s = 0; }
syscall::write:entry /pid == $target/ { v[n] = n; @[arg0] = sum(arg2); }
END { printf("%s", "done"); }
