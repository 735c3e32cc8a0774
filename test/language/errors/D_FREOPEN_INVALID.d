/* @flags: -xerrtags -e -w */
/* @status: 1 */
BEGIN { freopen("."); }
