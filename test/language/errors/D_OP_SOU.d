/* @flags: -xerrtags -e */
/* @status: 1 */
int *p;
BEGIN { trace(p->m); }
