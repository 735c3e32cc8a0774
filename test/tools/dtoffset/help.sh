# The commands that draw say what they can do.
for command in dtflame dtheat dtoffset dtproc; do
	"$(dirname "$dtrace")/$command" --help > help || echo "status $?"
	head -n 1 help | cut -d' ' -f1-2
	"$(dirname "$dtrace")/$command" -h | cmp - help
done
