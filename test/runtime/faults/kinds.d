/* Every kind of fault that D can make has its words; tracing goes on. */
/* @filter: pc pointer */
int zero;
int a[4];
BEGIN { i = 5; }
BEGIN { trace(*(int *)16); }
BEGIN { trace(stringof((char *)24)); }
BEGIN { trace(7 / zero); }
BEGIN { trace(7 % zero); }
BEGIN { trace(a[i]); }
BEGIN { trace(lltostr(7, 99)); }
BEGIN { trace(copyinstr(32)); }
BEGIN { printf("all clauses were tried\n"); exit(0); }
