/* @flags: -xerrtags -e */
/* @status: 1 */
void *p;
BEGIN { trace(*p); }
