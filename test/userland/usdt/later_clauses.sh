# Probes that come while tracing may need more memory than all that were there when it began:
# clauses with a predicate, strings of the process and long ones of their own.
. "$suite/lib.sh"
need_speed "placing probes while a process waits for them"
# a provider of its own: tests beside it wait until somebody traces sites
LC_ALL=C sed 's/sites/later/g' "$triggers/sites" > newcomer
chmod +x newcomer
"$dtrace" -Zq -x strsize=4096 -n '
later*:::guarded /execname == "newcomer" && strstr(copyinstr(arg0), "h") != NULL/
{ printf("%s %s\n", copyinstr(arg0), probename); }
*:newcomer::guarded /strstr(copyinstr(arg0), "h") != NULL/
{ printf("%s %s\n", copyinstr(arg0), strjoin(probename, copyinstr(arg0))); }
lat*:::guarded /execname == "newcomer" && strstr(copyinstr(arg0), "h") != NULL/
{ self->text = copyinstr(arg0); @[toupper(self->text), substr(self->text, 1), strtok(copyinstr(arg0), "l")] = count(); }
tick-10ms /!armed++/ { printf("armed\n"); }
END { printa("%s %s %s %@d\n", @); }' > out 2>&1 &
tracer=$!
await out armed
timeout 20 ./newcomer traced
kill -INT $tracer
wait $tracer
grep -v -e armed -e '^$' out
