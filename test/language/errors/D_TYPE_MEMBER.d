/* @flags: -xerrtags -e */
/* @status: 1 */
struct point { int x, y; };
struct point p;
BEGIN { trace(p.z); }
