/* Trap 6: the first assignment in the text gives the type; a predicate comes after its clause. */
BEGIN /self->t == 0/ { self->t = (short)70000; printf("%d\n", self->t); }
BEGIN { x = (char)1; }
BEGIN { x = 1000; printf("%d %d\n", x, sizeof(x)); exit(0); }
