# A provider declaration in a D library gives types to USDT probes, whose notes have only
# sizes: pointers lead into the process, arguments are translated, -lv shows it, and
# with -Z all that is known before there is a process.
. "$suite/lib.sh"
mkdir lib
cat > lib/made.d <<'D'
struct made_word { char letters[4]; };
typedef struct madeinfo { string first; char third; } madeinfo_t;
translator madeinfo_t < userland struct made_word *W > {
	first = stringof(W->letters);
	third = W->letters[2];
};
provider made {
	probe few__args(int number, struct made_word *word) :
	    (madeinfo_t *word, int number, struct made_word *word);
};
D
"$triggers/own_probes" values > /dev/null &
target=$!
await_ready $target
"$dtrace" -L lib -lvn "made$target:::few-args" | sed -n 's/^[[:space:]]*\(args.*\)/\1/p'
"$dtrace" -L lib -wqn 'made$1:::few-args { printf("%c %d %c\n", args[0]->third, args[1], args[2]->letters[1]); exit(0); }
	tick-10ms /!armed++/ { system("kill -USR1 %d", $1); }' $target | grep .
wait $target
# one that comes later
"$dtrace" -L lib -Zqn 'made*:its-module::few-args /copyinstr(arg1) == "text"/ { printf("%d %s %d\n", pid, stringof(args[0]->first), args[1]); }
	tick-10ms /!armed++/ { printf("armed\n"); }' > out 2>&1 &
tracer=$!
await out armed
"$triggers/own_probes" values > /dev/null &
target=$!
await_ready $target
# it is found within some milliseconds
for _ in $(seq $looks); do
	semaphore=$(awk '/rw-p.*\/its-module$/ { print $1; exit }' /proc/$target/maps)
	[ "$(dd if=/proc/$target/mem bs=1 count=1 skip=$((0x${semaphore%%-*})) 2>/dev/null | od -An -tu1 | tr -d ' ')" = 1 ] && break
	sleep 0.05
done
kill -USR1 $target
wait $target
kill -INT $tracer
wait $tracer
sed -n "s/^$target /PID /p; /error/p" out
