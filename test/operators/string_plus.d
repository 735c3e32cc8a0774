/* A string of D is no place in memory: what to write instead is said. */
/* @status: 1 */
BEGIN { s = "abc"; trace(strlen(s + 1)); exit(0); }
