# Typical mistakes: the message says what is wrong, the line below it what was probably meant.
# @anykernel: nothing is loaded
try() { "$dtrace" -e -n "$@" 2>&1 | grep -v 'invalid probe specifier'; }
try 'begin { exit(0); }'
try 'syscall:read:entry { }'
try 'syscall::raed:entry { }'
try 'syscal::read:entry { }'
try 'dtrace:BEGIN { }'
try 'nosuchprovider:::start { }'
try 'syscall::nosuchcall*:entry { }'
try '{ trace(1); }'
try 'BEGIN { trace("hello" }'
try 'BEGIN { trace("hello");'
try 'BEGIN { trace(1) trace(2); }'
try 'BEGIN { if (pid) int x; }'
try 'BEGIN { vnode_t x; }'
try 'BEGIN { switch (1) { } }'
try 'BEGIN { return 1; }'
try 'BEGIN { this.x = 1; }'
try 'BEGIN / pid == 1 { exit(0); }'
try 'BEGIN / pid = 1 / { exit(0); }'
try "BEGIN / execname == 'sh' / { exit(0); }"
try 'BEGIN { x = execname + "a"; }'
try 'BEGIN { trace(“hello”); }'
try 'BEGIN { trace(curthread.pid); }'
try 'BEGIN { trace((*curthread)->pid); }'
try 'BEGIN { trace(SIGKIL); }'
try 'BEGIN { @a++; }'
try 'BEGIN { trace($1); }'
try 'tick-$1 { }'
try 'int x = 1; BEGIN { }'
try 'BEGIN { x = x + 1; }'
try 'BEGIN { this->n = this->n + 1; }'
try 'BEGIN { a = 1; trace(b); }'
try 'syscall::write:entry { printf("%s", arg1); }'
try 'profile-0 { }'
try 'tick-1x { }'
try 'profile:cpu::tick-1s { }'
try '#define N 1
BEGIN { }' -C
echo scripts
printf '%s\n' '#!/bin/sh' '# says hello' 'echo hello' > hello
"$dtrace" -s hello; echo $?
echo commands
"$dtrace" 'BEGIN { exit(0); }'; echo $?
"$dtrace" -s 'BEGIN { exit(0); }'; echo $?
"$dtrace" -x bufsiz=1m -n BEGIN; echo $?
"$dtrace" -x aggrate=often -n BEGIN; echo $?
"$dtrace" -x bufpolicy=full -n BEGIN; echo $?
"$dtrace" -b much -n BEGIN; echo $?
"$dtrace" --help | head -1
