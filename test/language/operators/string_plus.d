/* A string plus a number is a pointer into a copy of its bytes. */
BEGIN { s = "abc"; trace(strlen(s + 1)); exit(0); }
