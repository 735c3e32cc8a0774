/* @flags: -xerrtags -e -Z */
/* @status: 1 */
nosuch:::start { trace(args[0]); }
