/* @flags: -xerrtags -e */
/* @status: 1 */
/* nothing at all */
