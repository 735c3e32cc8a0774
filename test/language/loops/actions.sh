# Actions in a loop are carried out each time: tables, stacks, memory, values; exit() does not end it.
"$dtrace" -q -x looplimit=100 -n '
	BEGIN {
		for (int i = 0; i < 2; i++) {
			@[i] = count();
			printa("%d %@d;", @);
			stack(1);
			print(i);
			tracemem(alloca(8), 4);
			printf("\n");
			exit(i + 3);
		}
	}
	BEGIN { printf("not reached\n"); }
	END { for (int i = 0; i < 2; i++) { ustack(1); trace(i); clear(@); } trunc(@); }' > out
echo "status $?"
sed 's/^ .*`.*/ (frame)/; s/^ .*0x[0-9a-f]*$/ (frame)/' out
echo "-- destructive ones"
"$dtrace" -qwn 'BEGIN { for (int i = 0; i < 3; i++) system("echo %d", i); exit(0); }'
"$dtrace" -qwn 'BEGIN { for (int i = 0; i < 3; i++) { freopen("f%d", i); printf("file %d\n", i); } exit(0); }'
cat f0 f1 f2
