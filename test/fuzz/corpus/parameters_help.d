--help -- --x
#pragma D parameter x int "needed"
#pragma D parameter every time = 5min "how often"
BEGIN { trace($x); trace($$every); }
