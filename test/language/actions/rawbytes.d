/* rawbytes: everything is dumped. */
/* @flags: -q -x rawbytes */
BEGIN { trace(1); trace("ab"); trace(execname); exit(0); }
