/* members of a D struct */
struct point { int x; short y; char z; };
struct point p;
BEGIN { p.x = 1; p.y = -2; p.z = 3; printf("%d %d %d\n", p.x, p.y, p.z); exit(0); }
