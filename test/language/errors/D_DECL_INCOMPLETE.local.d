/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { struct no_such_struct s; }
