# Tab in fish: options, values, probes inside and outside of quotes, members, processes, tools.
. "$suite/shells.sh"
cp "$suite/../toolkit/iosnoop" bin
share=$suite/../share/fish/vendor_completions.d
mkdir -p .config/fish/completions
ln -s "$share/dtrace.fish" .config/fish/completions/dtrace.fish
ln -s "$share/dtrace.fish" .config/fish/completions/iosnoop.fish
cat > .config/fish/config.fish <<'END'
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
function fish_prompt; echo -n 'ready> '; end
END
start_shell env HOME="$PWD" XDG_CONFIG_HOME="$PWD/.config" XDG_DATA_HOME="$PWD/data" fish
complete 'dtrace --ch' 'ready> dtrace --check '
complete 'dtrace -x bufpol' 'ready> dtrace -x bufpolicy='
complete 'dtrace -x bufpolicy=ri' 'ready> dtrace -x bufpolicy=ring '
complete 'dtrace -n sysc' 'ready> dtrace -n syscall:'
complete 'dtrace -n syscall::preadv2:en' 'ready> dtrace -n syscall::preadv2:entry '
complete "dtrace -n 'sysc" "ready> dtrace -n 'syscall:"
complete "dtrace -n 'syscall::preadv2:r" "ready> dtrace -n 'syscall::preadv2:return"
complete "dtrace -n 'BEGIN { trace(curthread->real_par" "ready> dtrace -n 'BEGIN { trace(curthread->real_parent"
complete "dtrace -n 'BEGIN { self->first = pid; trace(self->fi" "ready> dtrace -n 'BEGIN { self->first = pid; trace(self->first"
complete 'dtrace -n "pid\$tar' 'ready> dtrace -n "pid\$target:'
complete "dtrace -qn 'BEGIN /execn" "ready> dtrace -qn 'BEGIN /execname"
complete 'iosnoop --pro' 'ready> iosnoop --process='
