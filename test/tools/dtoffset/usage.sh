# What is wrong in a command line of dtoffset and dtheat is said, and nothing is traced.
build=$(dirname "$dtrace")
for arguments in '' '-o x.png' '-o x.svg -p 1 -a' '-o x.svg -d none' '-o x.svg more' '-o x.svg -m year'; do
	"$build/dtoffset" $arguments 2>&1 | head -1
	echo "${arguments:-nothing}"
done
for arguments in '' '-o x.png' '-o x.svg -c ls -p 1' '-o x.svg cake' '-o x.svg syscall io' '-o x.svg -i never' '-o x.svg -s io' '-o x.svg -s -n BEGIN'; do
	"$build/dtheat" $arguments 2>&1 | head -1
	echo "${arguments:-nothing}"
done
"$build/dtheat" -o /nonexistent/x.svg
"$build/dtheat" -n 'BEGIN { @ = count(); exit(0); }' -o x.svg; echo "status $?"
ls
