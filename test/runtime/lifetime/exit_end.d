/* exit in END overrides */
/* @status: 9 */
BEGIN { exit(7); }
END { exit(9); }
