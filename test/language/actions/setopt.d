/* setopt() changes what may change while tracing, when its record is read. */
/* @flags: */
BEGIN { trace("line"); setopt("quiet"); }
BEGIN { printf("no line\n"); setopt("quiet", "off"); }
BEGIN { setopt("bufsize", "4m"); setopt("nosuch"); setopt("quiet", "maybe"); }
BEGIN { setopt("switchrate", "10ms"); setopt("aggsortrev"); }
BEGIN { @[1] = sum(1); @[2] = sum(2); exit(0); }
