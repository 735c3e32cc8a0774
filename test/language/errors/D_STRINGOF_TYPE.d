/* @flags: -xerrtags -e */
/* @status: 1 */
struct b { int x; };
struct b v;
BEGIN { trace(stringof(v)); }
