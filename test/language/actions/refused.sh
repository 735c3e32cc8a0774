# Destructive actions want -w, every one of them.
for action in 'raise(1)' 'stop()' 'chill(1)' 'panic()' 'breakpoint()' 'system("true")' 'freopen("x")' 'return(0)' 'pidresume(1)' 'copyout(NULL, 0, 1)'; do
	"$dtrace" -qn "BEGIN { $action; }" 2>&1
done
true
