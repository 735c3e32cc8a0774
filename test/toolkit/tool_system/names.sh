# uname-a.d: what uname(1) says.
. "$suite/toolkit.sh"
[ "$("$dtrace" -s "$suite/../toolkit/uname-a.d" | grep .)" = "$(uname -snrvm)" ] && echo "the same"
