#!/bin/sh
# Fuzz the compiler: run.sh TARGET SECONDS RATE
#
# The seeds are every D text among the golden tests and the libraries, and those
# of corpus/, which have in a few lines what the tests hide in shell scripts.
# Each is behind a byte that says how it is taken (enum how in d_program.h).
# A text that starts with words of the command line has them in its first line.
# There is a dictionary of D's words.  With FUZZ_CORPUS, a directory, a run goes
# on from what runs before it found worth keeping there.
set -eu
target=$1
seconds=$2
rate=$3
here=$(dirname "$0")
. "$here/target.sh"
[ -z "${FUZZ_CORPUS:=}" ] || mkdir -p "$FUZZ_CORPUS"
nseeds=0
# seed FILE HOW: the text behind that byte, in octal
seed() {
	nseeds=$((nseeds + 1))
	{ printf "\\$2"; cat "$1"; } > "$work/corpus/$nseeds"
}
for file in "$here"/../*/*/*.d "$here"/../../dlib/*.d; do
	seed "$file" 000
	seed "$file" 200		# with the kernel's types
done
for file in "$here"/corpus/*.d; do
	case $(head -c 2 "$file") in
	--)	seed "$file" 010 ;;		# words
	*)	seed "$file" 000		# as it is
		seed "$file" 020		# in pieces
		seed "$file" 160		# and asleep, in small buffers
		seed "$file" 220 ;;
	esac
done
run_target 4096 -entropic_scale_per_exec_time=1 -dict="$here/d.dict" $FUZZ_CORPUS
