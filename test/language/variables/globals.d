/* globals are shared by all clauses; strings copy */
string s; int n;
BEGIN { printf("[%s] %d\n", s, n); s = "one"; n = 1; t = s; s = "two"; }
BEGIN { printf("%s %s %d\n", s, t, n); exit(0); }
END { printf("%s %s %d\n", s, t, n); }
