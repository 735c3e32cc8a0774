/* @flags: -xerrtags -e */
/* @status: 1 */
struct s { int m; };
struct s v;
BEGIN { trace(v->m); }
