/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { while (0) ; continue; }
