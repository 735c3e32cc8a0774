/* sizes of types and expressions */
struct s { char a; int b; char c; };
BEGIN { printf("%d %d %d %d %d %d\n", sizeof (char), sizeof (long), sizeof (struct s), offsetof(struct s, b), sizeof (void *), sizeof (1 + 1)); exit(0); }
