# guide.py tells a document whose commands print something else than it shows: other
# columns, no heading, another message, another status, no picture.
# @once: its subject is guide.py
# @anykernel: nothing here depends on the kernel
try() {
	printf '```console\n%s\n```\n' "$2" > page.md
	python3 "$suite/guide.py" --dtrace "$dtrace" page.md > said
	echo "$1: $(sed -n '1s/^page.md: //p; 2p' said | tr '\n' ' ')"
}
three="# dtrace -qn 'BEGIN { printf(\"name %d %d\\n\", 1, 2); printf(\"name %d %d\\n\", 3, 4); exit(0); }'"
try 'as it is' "$three
word 10 20
word 30 40"
try 'another column' "$three
word 10 20 30
word 30 40 50"
try 'a word for a number' "$three
word ten 20
word ten 40"
try 'a heading' "$three
NAME FROM TO
word 10 20
word 30 40"
try 'nothing' "$three"
try 'a message' "# dtrace -n 'BEGIN { exit(0); }'
dtrace: description 'END' matched 1 probe
CPU     ID                    FUNCTION:NAME
  1      1                           :BEGIN"
try 'a status' "# dtrace -qn 'BEGIN { exit(3); }'"
try 'no picture' '# true -o picture.svg'
try 'a histogram' "# dtrace -qn 'BEGIN { @ = sum(1); exit(0); }'
           value  ------------- Distribution ------------- count
               0 |                                         0
               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1"
try 'Ctrl-C' "# dtrace -qn 'tick-100ms { printf(\"tick %d\\n\", 1); } END { printf(\"end\\n\"); }'
tick 1
tick 1
^C
end"
