#!/bin/sh
# Fuzz what belongs to the agent for Java: java.sh TARGET SECONDS RATE messages|classes
#
# Seeds of classes are those that tests run, compiled here; of messages one of each kind,
# to the tracer (an even first byte) and to the agent (an odd one).
set -eu
target=$1
seconds=$2
rate=$3
what=$4
here=$(dirname "$0")
. "$here/target.sh"
if [ "$what" = classes ]; then
	javac -d "$work/corpus" "$here"/../userland/java/*.java
	run_target 16384
	exit
fi
python3 - "$work/corpus" <<'PY'
import struct, sys
SEARCH, PROBE, APPLY, GO, LOAD, STOP, HELLO, METHOD, REFUSED, HOLD, DONE = range(1, 12)
def message(kind, *parts):
    body = b"".join(struct.pack("=I", part) if isinstance(part, int) else struct.pack("=I", len(part)) + part for part in parts)
    return struct.pack("=II", kind, len(body)) + body
method = message(METHOD, 3, 4, 8, b"java.net.Socket", b"connect", b"(Ljava/lang/String;I)V")
seeds = [b"\0" + message(HELLO, 1) + method + message(DONE) + message(REFUSED, 3, 4, b"it is too long") + message(HOLD, 1) + message(DONE) + message(DONE),
         b"\0" + method + method + message(METHOD, 3, 5, 0x100, b"a\x01b", b"n\x7f", b"()V") + message(DONE),
         b"\1" + message(SEARCH, 1, b"java.util.*", b"get?") + message(PROBE, 3, 4, 1, 1023, 7, 5) + message(APPLY, 256) + message(GO, 2) + message(LOAD, b"Work") + message(STOP)]
for number, seed in enumerate(seeds):
    with open(f"{sys.argv[1]}/{number}", "wb") as file:
        file.write(seed)
PY
run_target 4096
