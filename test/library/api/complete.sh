# Completion of D text: each candidate has its kind, its type and its place, also in texts that are wrong elsewhere.
build=$(dirname "$dtrace")
flags=$(nm "$build/libdtrace.a" 2>/dev/null | grep -q __asan_init && echo -fsanitize=address,undefined)
cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -g $flags -I"$suite/../include" -o complete "$test/complete.c" "$build/libdtrace.a" || exit 1
echo '== descriptions'
./complete 'sysc|' 'syscall::preadv|' 'syscall::read:|' 'BEGIN, sysc|' 'io:::s|' 'typed|' 'BEGIN |' 'self in|'
echo '== arguments of -n'
./complete -n 'BEG|' 'sysc|' 'int|' 'BEGIN { execn|'
echo '== names'
./complete 'BEGIN { execn| }' 'BEGIN /strle|' 'BEGIN { sel|' 'BEGIN { SIGKI|' 'BEGIN { printf("x"); trace($ta|' \
	'BEGIN /pri|/ { }' 'BEGIN { @a = quan| }' 'BEGIN { @a = sum(quan| }' 'BEGIN { /* exec| */ }' 'BEGIN { trace("exec|"); }' \
	'BEGIN { trace("exec|' 'BEGIN { trace("a"); // exec|' 'BEGIN { trace("/*"); execn|'
echo '== the program itself'
./complete 'BEGIN { self->start = timestamp; this->stop = 1; } END /self->st|/ { }' \
	'BEGIN { @bytes[pid] = sum(1); @|; }' 'BEGIN { seen["x", 1] = curthread; } END { trace(se|' 'int f(int alpha) { return alph| }' \
	'#pragma D parameter minimum time = 1ms "x"
BEGIN { trace($mini|' \
	'BEGIN { wrong( } END { good = 1; } tick-1s { goo|'
echo '== members'
./complete 'BEGIN { curthread->real_par|' 'io:::start { trace(args[0]->b_b|); }' 'io:::start /args[1]->dev_st|' 'BEGIN { trace(curpsinfo->pr_ps|' \
	'BEGIN { self->p = curthread; } END { self->p->tgi|' 'BEGIN { this->q = curthread; if (this->q) { trace(this->q->tgi|' \
	'BEGIN { struct task_struct *t = curthread; if (pid) { x = t->tgi| } } END { }' 'BEGIN { ((struct task_struct *)arg0)->tgi|' \
	'BEGIN { xlate <psinfo_t *> (curthread)->pr_psa|' 'struct point { int x, y; }; struct point p; BEGIN { p.| }' \
	'BEGIN { curthread->fs->umas|' 'BEGIN { pid->x|' 'BEGIN { nosuch->x|' 'BEGIN { ->x|'
echo '== control lines'
./complete '#pra|' '#pragma D opt|' '#pragma D option strs|' '#pragma D option strsize=200
BEGIN { execn|'
