# an action among operands has type void: what the construct around it says of that type comes first
# @anykernel: nothing is loaded
tag_of() { "$dtrace" -e -xerrtags -n "$1" 2>&1 | sed -n '1s/.*: \[\(D_[A-Z_]*\)\].*/\1/p'; }
while IFS= read -r program; do
	printf '%-20s %s\n' "$(tag_of "$program")" "$program"
done <<'PROGRAMS'
BEGIN { trace(trace(1)); }
BEGIN { print(trace(1)); }
BEGIN { printf("%s", printf("")); }
BEGIN { tracemem(trace(1), 8); }
BEGIN { clear(count()); }
BEGIN { printa(count()); }
BEGIN { exit(trace(1)); }
BEGIN { stack(trace(1)); }
BEGIN { x = strlen(trace(1)); }
BEGIN { @ = sum(count()); }
BEGIN { @ = quantize(1, trace(1)); }
BEGIN { -trace(0); }
BEGIN { !trace(0); }
BEGIN { ~trace(0); }
BEGIN { *trace(0); }
BEGIN { &trace(0); }
BEGIN { trace(0)++; }
BEGIN { trace(0) = 1; }
BEGIN { 1 + trace(0); }
BEGIN { 1 * trace(0); }
BEGIN { 1 & trace(0); }
BEGIN { 1 == trace(0); }
BEGIN { sizeof (trace(0)); }
BEGIN { stringof (trace(0)); }
BEGIN { trace(0)[1]; }
BEGIN { trace(0)->x; }
BEGIN { (int)trace(0); }
BEGIN { xlate <psinfo_t> (trace(0)); }
BEGIN { a[trace(0)] = 1; }
BEGIN { a[stack()] = 1; }
BEGIN { @[trace(0)] = count(); }
BEGIN { x = 1; x = trace(0); }
BEGIN / trace(1) / { }
BEGIN { if (trace(1)) { x = 1; } }
inline int x = trace(1); BEGIN { }
struct s { int a; }; translator struct s < int i > { a = trace(1); }; BEGIN { trace(xlate <struct s> (1).a); }
BEGIN { (void)trace(0); }
BEGIN { x = trace(0); }
BEGIN { x = count(); }
BEGIN { pid ? trace(1) : trace(2); }
BEGIN { trace(1) && 1; }
PROGRAMS
