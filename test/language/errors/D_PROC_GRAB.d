/* @flags: -xerrtags -e */
/* @status: 1 */
/* larger than the largest pid there is */
pid4194305::malloc:entry { }
