# What files of processes take is limited, all together: what is over it stays
# an address, and that is said once.  More can be allowed.
# @anykernel: what is read, and shown, does not depend on the kernel
. "$suite/hostile.sh"
run_hostile honest1
honest=$target
run_hostile large1 many=400000:100
large1=$target
run_hostile large2 many=400000:100
large2=$target
echo "-- 20m: neither"
stacks -x symsize=20m $honest $large1 $large2 | sed "s|$PWD/large.|{file}|" | sort
echo "-- 80m: one of them"
stacks -x symsize=80m $large1 $large2 | sed "s|$PWD/large.|{file}|" | grep -c 'large.`inner'
echo "-- as it is"
stacks $honest $large1 $large2 | sort
echo "-- probes"
"$dtrace" -x symsize=20m -p $large1 -ln 'pid$target:a.out:inner:entry' 2>&1 | sed "s|$PWD/large.|{file}|; s/ID.*\|its debug.*//; /^ /d"
echo "-- types"
run_hostile types dense=.debug_str:50000000
"$dtrace" -x symsize=20m -p $target -qn 'pid$target:a.out:inner:entry { trace(args[0]->first); exit(0); }' 2>&1 |
	sed "s|$PWD/types|{file}|; /^ /d"
