/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { trace(curthread->1); }
