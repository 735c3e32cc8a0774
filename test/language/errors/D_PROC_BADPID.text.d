/* @flags: -xerrtags -e */
/* @status: 1 */
pid:::entry { }
