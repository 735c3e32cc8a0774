/* typedefs and unions */
typedef struct { union { int i; char c; } u; } thing_t;
thing_t x;
BEGIN { x.u.i = 0x4142; printf("%c %d\n", x.u.c, sizeof (thing_t)); exit(0); }
