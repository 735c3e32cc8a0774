# The caller at an entry and at a return, by number and by name, is the same.
. "$suite/lib.sh"
"$dtrace" -qn 'pid$target:handler:inner:entry, pid$target:handler:inner:return
	{ printf("%-6s %A", probename, ucaller); usym(ucaller); uaddr(ucaller); umod(ucaller); printf("\n"); }' \
	-c "$triggers/handler plain" | sed 's/+0x[0-9a-f]*//g; s/  */ /g; s/ $//'
