/* @flags: -xerrtags -e */
/* @status: 1 */
struct b { int x:3; };
struct b *p;
BEGIN { trace(&p->x); }
