# SPDX-License-Identifier: Apache-2.0
# For tests of tools: . "$suite/toolkit.sh"
. "$suite/lib.sh"

# Program $1 under a name that no other process of the machine has: $me, for the filters
# of tools.  It is run as ./$me, its lines are found by $me, and it is plain in what
# `unnamed PROGRAM` lets through.
name_of_its_own() {
	me=t$$
	ln -sf "$(command -v "$1")" $me
}
unnamed() { sed "s/\\b$me\\b/$1/g; s/  */ /g; s/^ //"; }

# Run tool $1 with options, and commands beside it: those after -- run when the tool is
# armed, and when they have ended the tool is interrupted.  Prints what the tool wrote,
# without empty lines: where that of an interrupt stands is a matter of time.
#	tool NAME [OPTION ...] -- COMMAND [ARGUMENT ...]
tool() {
	tool=$1 options=
	shift
	while [ "$1" != -- ]; do
		options="$options '$1'"
		shift
	done
	shift
	rm -f armed tool.out tool.err
	# another program, in front of the tool's: it says when all probes are there
	eval "\"\$dtrace\" -w -n 'tick-10ms /!armed/ { armed = 1; system(\"touch armed\"); }' \
		-s \"\$suite/../toolkit/\$tool\" $options > tool.out 2> tool.err &"
	tracer=$!
	for _ in $(seq $looks); do
		[ -e armed ] && break
		kill -0 $tracer 2> /dev/null || break
		sleep 0.05
	done
	[ -e armed ] && "$@" > command.out 2>&1
	kill -INT $tracer 2> /dev/null
	wait $tracer
	status=$?
	grep -v 'allowing destructive actions' tool.err >&2
	grep . tool.out
	return $status
}
