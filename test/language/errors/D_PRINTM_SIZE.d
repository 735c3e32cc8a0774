/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { printm(0, memref(curthread, 8)); }
