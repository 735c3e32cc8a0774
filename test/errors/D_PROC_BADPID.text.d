/* @flags: -xerrtags -e */
/* @status: 1 */
pidof:::entry { }
