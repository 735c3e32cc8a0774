/* @flags: -xerrtags -e */
/* @status: 1 */
pidx1:::entry { }
