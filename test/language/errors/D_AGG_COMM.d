/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { commit(1); @a = count(); }
