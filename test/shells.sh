# SPDX-License-Identifier: Apache-2.0
# Real shells in a terminal that nobody sees: . "$suite/shells.sh"
#
# Keys are typed, then the screen is looked at until it shows what it should.

. "$suite/lib.sh"

not_in_guests
export LC_ALL=C.UTF-8 TERM=screen
unset TMUX
mkdir bin
ln -s "$dtrace" bin/dtrace

tmux() { command tmux -S "$PWD/terminal" -f /dev/null "$@"; }
trap 'tmux kill-server 2>/dev/null' EXIT

screen() { tmux capture-pane -pN; }

# Wait until the screen has the text $1, or with `not` has it no more.
await_screen() {
	for _ in $(seq $looks); do
		screen | grep -qF -- "$1" && [ "$2" != not ] && return 0
		screen | grep -qF -- "$1" || { [ "$2" = not ] && return 0; }
		sleep 0.05
	done
	echo "waited in vain for $2 $1 on the screen:"
	screen
	exit 1
}

# Start a shell, whose prompt must be "ready> ".  It finds what is in bin/.
start_shell() {
	PATH=$PWD/bin:$PATH tmux new-session -d -x 150 -y 60 "$@"
	await_screen 'ready>'
}

# Type $1 and a tab; $2 is on the screen then.
complete() {
	tmux send-keys -l -- "$1"
	await_screen "ready> $1"
	tmux send-keys Tab
	await_screen "$2"
	echo "$1<TAB> $2"
	tmux send-keys C-u C-l
	await_screen "$1" not
}
