# Records as JSON: typed values, strings that are no UTF-8, text beside values, the exit status.
"$dtrace" -qx oformat=json -n '
BEGIN { trace(-5); trace(0xffffffffffffffff); trace((char)-1); trace("plain"); trace("\377\"\\\n\tß"); }
BEGIN { printf("%s:%s %d\n", probeprov, probename, 7); }
BEGIN { }
BEGIN { this->x = 1; }
BEGIN { exit(3); }' | python3 "$test/check.py" json
