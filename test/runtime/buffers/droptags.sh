# Drops with their tags; one is singular, several are plural.
"$dtrace" -q -b 4k -x droptags -x cpu=0 -n 'BEGIN { tracemem(curthread, 3000); } BEGIN { tracemem(curthread, 3000); } BEGIN { exit(0); }' > /dev/null
"$dtrace" -q -b 4k -x cpu=0 -n 'BEGIN { tracemem(curthread, 3000); } BEGIN { tracemem(curthread, 3000); } BEGIN { tracemem(curthread, 3001); } BEGIN { exit(0); }' > /dev/null
