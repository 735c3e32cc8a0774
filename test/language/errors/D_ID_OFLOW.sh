# more global variables than 16-bit ids, the built-in ones aside
{
	echo 'BEGIN {'
	seq -f 'v%.0f = 1;' 1 64257
	echo '}'
} >many.d
"$dtrace" -xerrtags -e -s many.d
echo "status $?"
