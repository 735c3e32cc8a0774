/* inlines are constants and expressions */
inline int FIVE = 5;
inline int twice[int n] = n * 2;
inline string me = execname;
BEGIN { printf("%d %d %s\n", FIVE, twice[FIVE + 1], me); exit(0); }
