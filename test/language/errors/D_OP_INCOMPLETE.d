/* @flags: -xerrtags -e */
/* @status: 1 */
struct nosuchstruct;
struct nosuchstruct *p;
BEGIN { trace(p->m); }
