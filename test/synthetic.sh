# SPDX-License-Identifier: Apache-2.0
# For tests of synthetic providers: . "$suite/synthetic.sh" makes the program ./shopd and the
# provider ./lib/shop.d of doc/synthetic.md, which has no other copy.
. "$suite/lib.sh"
page=$suite/../doc/synthetic.md

# What the document has of language $1.
listing() {
	awk -v word="$1" '$0 == "```" word { on = 1; next } /^```/ { on = 0 } on' "$page"
}
mkdir lib
listing c > shopd.c
listing d > lib/shop.d
eval "$(sed -n 's/^    \(cc .*shopd\)$/\1/p' "$page")" || exit 1

# Start a shop that sells to $1 until it is killed: $shop.
open_shop() {
	./shopd "$1" x > /dev/null &
	shop=$!
	await_exec $shop ./shopd
}

close_shops() {
	kill "$@"
	wait "$@" 2> /dev/null
	return 0
}
