/* -q prints only what is asked for, and the closing newline */
BEGIN { trace("hello"); trace(12); exit(0); }
