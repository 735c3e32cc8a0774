int f(void) { int n = 0; while (n < 3) n++; return n; }
BEGIN { for (int i = 0; i < 2; i++) trace(f()); }
BEGIN { for (int i = 0; i < 3; i++) { trace(i); for (int j = 0; j < 2; j++) {} } }
int v;  int g(void) { for (int j = 0; ; j++) { return j; } for (int k = 0; k; k++) trace(k); return 1; }
BEGIN { if (v) { g(); } exit(0); }
