# What is wrong with a synthetic provider, or missing in a process, is said.
. "$suite/synthetic.sh"
open_shop Ada
try() { "$dtrace" "$@" -n 'BEGIN { exit(0); }' 2>&1 > /dev/null | sed "s/$shop/PID/g; /matched\|^ *|/d"; }
cat > lib/other.d <<'Y'
provider other {
	probe lost(void) { shopd:nosuch:entry { fire(); } };
	probe half(int x)
	{
		shopd:sell:return { fire(1); }
		shopd:nix*:entry { self->other = 1; }
	};
	probe computed(int x) { shopd:sell:entry { fire(getter(sell, arg0)); } };
	probe unknown(int x) { shopd:sell:entry { fire(getter(nosuch, arg0)); } };
	probe form(int x) { shopd:sell:entry { fire(getter(order_price)); } };
	probe skips(int x) { shopd:sell:entry { fire(getter(order_price, arg0, 1)); } };
	probe number(int x) { shopd:sell:entry { fire(getter(order_price, arg0, x)); } };
	probe wrong(int x) { shopd:sell:entry { fire(nosuchname + 1); } };
	probe fine(int x) { shopd:sell:entry { fire(1); } };
};
Y
for probe in lost half computed unknown form skips number wrong nix; do
	echo "-- $probe"
	try -L lib -n "other$shop:::$probe { trace(arg0); }"
done
echo "-- only what is there is listed"
"$dtrace" -L lib -ln "other$shop:::" | awk 'NR > 1 { print $5 }'
echo "-- a process that does not execute it"
"$dtrace" -L lib -n "shop$$:::sale-start" 2>&1 | sed "s/$$/PID/g; /^ *|/d"
echo "-- a library that nobody executes"
cat > lib/absent.d <<'Y'
provider absent { probe p(void) { no-such-program:f:entry { fire(); } }; };
Y
"$dtrace" -L lib -n 'absent*:::p' 2>&1 | sed 's/ that may be looked at; [0-9]* may not (.*/; with -Z one may come later/; /^ *|/d'
echo "-- declarations"
wrong() {
	printf '%s\n' "provider wrong { probe p(int x) { $1 }; };" > lib/wrong.d
	"$dtrace" -L lib -n 'BEGIN { exit(0); }' 2>&1 > /dev/null | sed '/matched/d'
	rm lib/wrong.d
}
wrong 'shopd:sell:entry { fire(); }'
wrong 'shopd:sell:entry { fire(1); self->x = 1; }'
wrong 'shopd:sell:entry { self->x = 1; }'
wrong 'sell:entry { fire(1); }'
wrong 'pid1:shopd:sell:entry { fire(1); }'
wrong 'a.out:sell:entry { fire(1); }'
wrong 'shopd:sell:entry { fire(1 +); }'
wrong 'shopd:sell:entry { if (arg0) fire(1); }'
wrong 'shopd:sell:entry /arg0 fire(1); }'
wrong 'shopd:sell:entry'
close_shops $shop
