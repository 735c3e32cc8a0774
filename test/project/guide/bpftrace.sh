# What the guide says in bpftrace's language beside D is what bpftrace takes.
# @once: it is about a document
# @anykernel: nothing is enabled
command -v bpftrace > /dev/null || { echo "no bpftrace here"; exit 77; }
"$suite/foreign.py" bpftrace "$suite/../doc/guide/coming-from.md"
# a table with a wrong word is told
sed 's/`retval`/`retvalue`/' "$suite/../doc/guide/coming-from.md" > wrong.md
"$suite/foreign.py" bpftrace wrong.md | grep -o 'Unknown identifier.*'
