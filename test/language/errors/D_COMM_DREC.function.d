/* @flags: -xerrtags -e */
/* @status: 1 */
void done(int id) { commit(id); }
BEGIN { trace(1); done(1); }
