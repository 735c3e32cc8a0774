/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { while (pid) { commit(1); } }
