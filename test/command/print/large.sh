# Objects larger than printsize end in "..."; all of it is asked for with more.
"$dtrace" -qn 'BEGIN { print(curthread); exit(0); }' -x printsize=128 > short
tail -3 short
"$dtrace" -qn 'BEGIN { print(curthread); exit(0); }' -x printsize=64k > long
grep -c '^ *\.\.\.$' long
grep -c '^ *\.comm = (char \[16\])"dtrace",$' long
"$dtrace" -qn 'BEGIN { print(curthread->mm); exit(0); }' | sed -n 2p
