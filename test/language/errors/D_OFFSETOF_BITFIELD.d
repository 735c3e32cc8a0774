/* @flags: -xerrtags -e */
/* @status: 1 */
struct b { int x:3; };
BEGIN { trace(offsetof(struct b, x)); }
