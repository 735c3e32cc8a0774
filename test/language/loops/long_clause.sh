# A clause with a loop may have any number of statements: this one has 30000.
{
	echo 'BEGIN { x = 0; for (int i = 0; i < 3; i++) x++;'
	yes 'x++;' | head -n 30000
	echo 'trace(x); exit(0); }'
} > long.d
"$dtrace" -qs long.d
