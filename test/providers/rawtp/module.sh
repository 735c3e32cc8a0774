# A tracepoint of a module: types come from the module's own BTF, and both ways to it count the same.
. "$suite/lib.sh"
need_probe rawtp:9p::9p_client_req
"$dtrace" -lvn rawtp:9p::9p_client_req | grep args
"$dtrace" -qn '
	rawtp:9p::9p_client_req { raw++; wrong += args[0]->msize == 0; }
	sdt:9p::9p_client_req { record++; wrong += args[0] == NULL; }
	END { printf("%s %d\n", raw > 0 && raw == record ? "equal" : "different", wrong); }' \
	-c "cat $suite/run.py" > out
tail -2 out
