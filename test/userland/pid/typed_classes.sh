# args[] of C++: this, base classes, references, objects that are passed by their address or returned in memory.
. "$suite/lib.sh"
trace_trigger "" '
pid$1:a.out:shop??Item??total:entry
{
	printf("%d %s %d %d %s\n", args[0]->id, args[0]->label, args[0]->price, args[1], args[2]->label);
	printf("%d %d %d\n", args[0]->tags[2], args[0]->is_sold, args[0]->kind == Large);
	print(*args[0]);
	printf("\n");
}
pid$1:a.out:shop??Item??total:return { printf("%d\n", args[1]); }
pid$1:a.out:shop??sell:entry { printf("%d %d %s %d\n", args[0], args[1]->age, args[1]->item->label, args[2]->id); }
pid$1:a.out:shop??sell:return { printf("%d %d %d\n", args[1]->sum, args[1]->tax, args[1]->items); }
pid$1:a.out:*twice*:entry { printf("%d %s\n", args[0], args[1]->label); }
' classes | grep -v '^$' | sed 's/0x[0-9a-f]\{9,\}/{ptr}/'
echo "-- types"
"$triggers/classes" &
target=$!
await_ready $target
for f in 'shop??Item??total' 'shop??sell' '*twice*'; do
	"$dtrace" -lvn "pid$target:a.out:$f:entry,pid$target:a.out:$f:return" | awk '/pid/ { print $4, $5 } /args\[|None/'
done | sed 's/ \*const$/ */'
kill $target
wait $target 2> /dev/null
:
