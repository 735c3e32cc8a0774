/* @flags: -xerrtags -e */
/* @status: 1 */
a:b:c:d:e { trace(1); }
