/* bit-fields of a D struct */
struct b { unsigned a:3; unsigned b:5; int c:4; };
struct b v;
BEGIN { v.a = 9; v.b = 31; v.c = -1; printf("%d %d %d\n", v.a, v.b, v.c); exit(0); }
