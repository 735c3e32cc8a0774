/* @flags: -xerrtags -e */
/* @status: 1 */
pidgin:::entry { }
