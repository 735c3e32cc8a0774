/* A base that is none is an illegal operation. */
/* @filter: pc */
/* @flags: -q */
BEGIN { this->base = 1; trace(lltostr(1, this->base)); }
BEGIN { trace(lltostr(1, 37)); }
BEGIN { trace(strtoll("1", 0)); }
BEGIN { trace(strtoll("1", -1)); }
BEGIN { printf("bases 2 %s and 36 %s\n", lltostr(2, 2), lltostr(35, 36)); exit(0); }
ERROR { printf("fault %d\n", arg4); }
