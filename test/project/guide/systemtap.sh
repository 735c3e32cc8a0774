# What the guide says in SystemTap's language beside D is what stap takes.
# @once: it is about a document
# @anykernel: nothing is enabled
command -v stap > /dev/null || { echo "no stap here"; exit 77; }
"$suite/foreign.py" stap "$suite/../doc/guide/coming-from.md"
# a table with a wrong word is told
sed 's/`tid()`/`tiddle()`/' "$suite/../doc/guide/coming-from.md" > wrong.md
"$suite/foreign.py" stap wrong.md | grep -o 'unresolved function [a-z]*'
