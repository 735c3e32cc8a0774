/* @flags: -xerrtags -e */
/* @status: 1 */
nosuch:provider::probe { trace(1); }
