# args[] of functions whose object has DWARF: parameters in registers and behind them, between others that are
# passed elsewhere, what is returned, and everything that a struct can hold, read from the process's memory.
. "$suite/lib.sh"
cat > requests.d <<'D'
pid$1:a.out:handle:entry
{
	this->r = args[0];
	printf("%d %d %d %s\n", this->r->id, this->r->flags, this->r->kind, this->r->name);
	printf("%s, %s\n", args[1], stringof(args[0]->text));
	printf("%s: %s\n", args[0]->next->name, args[0]->next->text);
	printf("%d %d %d %d %d %d %d\n", args[2], args[3], args[4], args[5], args[6], args[2] == GREEN,
	    (*args[7])->color == BLUE);
	printf("%d %c %d %d %d\n", args[0]->either.number, args[0]->either.bytes[0], args[0]->y,
	    args[0]->pairs[1].b, args[0]->grid[1][2]);
	printf("%d %d\n", sizeof (*args[0]), args[0]->act == NULL);
	self->r = args[0]->next;
	self->text = args[0]->text;
	a["why"] = args[1];
}
pid$1:a.out:handle:return { printf("returns %d\n%s %s %s\n", args[1], self->r->name, self->text, a["why"]); }
pid$1:a.out:choose:entry { printf("%d %s %d\n", args[1], args[2]->name, args[5]); }
pid$1:a.out:choose:return { printf("%d %s\n", args[0] == arg0, args[1]->name); }
pid$1:a.out:choose:entry { printf("%d %d\n", args[3].a, args[3].b); }
pid$1:a.out:cut:entry
{
	printf("%s %d %d %d\n", args[0].start, args[0].length, args[1].b, args[2].third);
	printf("%s %s %d\n", args[3].start, args[4].start, args[5]);
	this->text = args[4];
	printf("%d %s\n", this->text.length, this->text.start);
}
pid$1:a.out:cut:return { printf("%s %d\n", args[1].start, args[1].length); }
pid$1:a.out:enlarge:entry { printf("%d %d\n", args[0].second, args[1]); }
pid$1:a.out:enlarge:return { printf("%d %d %d\n", args[1]->first, args[1]->second, args[1]->third); }
pid$1:a.out:handle:entry { printf("not seen %d\n", args[0]->next->next->id); }
dtrace:::ERROR { printf("fault %d\n", arg4); }
pid$1:a.out:handle:entry { print(*args[0]); printf("\n"); }
pid$1:requests.so:walk:entry { printf("%d %s %s %d\n", args[0]->next->value, args[0]->label, args[0]->text, args[1]); }
pid$1:requests.so:walk:return { printf("%d\n", args[1]); }
D
trace_trigger "" "$(cat requests.d)" requests "$triggers/requests.so" 2>&1 |
	grep -v -e '^$' -e "^dtrace: error in" | sed 's/0x[0-9a-f]\{9,\}/{ptr}/'
echo "-- types"
"$triggers/requests" &
target=$!
await_ready $target
for f in handle choose enlarge rest; do
	"$dtrace" -lvn "pid$target:a.out:$f:entry,pid$target:a.out:$f:return" | awk '/pid/ { print $4, $5 } /args\[|None/'
done
kill $target
wait $target 2> /dev/null
:
