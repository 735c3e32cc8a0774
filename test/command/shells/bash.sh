# Tab in bash: options, values, probes inside and outside of quotes, members, processes, tools.
. "$suite/shells.sh"
cp "$suite/../toolkit/iosnoop" bin
# bash-completion reads a file when its command is completed first
share=$suite/../share/bash-completion/completions
mkdir -p data/bash-completion/completions
ln -s "$share/dtrace" data/bash-completion/completions/dtrace
ln -s dtrace data/bash-completion/completions/iosnoop
cat > rc <<'END'
PS1='ready> '
. /usr/share/bash-completion/bash_completion
bind 'set bell-style none'
bind 'set show-all-if-ambiguous on'
END
start_shell env XDG_DATA_HOME="$PWD/data" bash --noprofile --rcfile rc
complete 'dtrace --ch' 'ready> dtrace --check '
complete 'dtrace -x bufpol' 'ready> dtrace -x bufpolicy='
complete 'dtrace -x bufpolicy=ri' 'ready> dtrace -x bufpolicy=ring '
complete 'dtrace -n sysc' 'ready> dtrace -n syscall:'
complete 'dtrace -n syscall::prea' 'ready> dtrace -n syscall::pread'
complete 'dtrace -n syscall::preadv2:en' 'ready> dtrace -n syscall::preadv2:entry '
complete "dtrace -n 'sysc" "ready> dtrace -n 'syscall:"
complete "dtrace -n 'syscall::preadv2:r" "ready> dtrace -n 'syscall::preadv2:return"
complete "dtrace -n 'BEGIN { trace(curthread->real_par" "ready> dtrace -n 'BEGIN { trace(curthread->real_parent"
complete "dtrace -n 'BEGIN { self->first = pid; trace(self->fi" "ready> dtrace -n 'BEGIN { self->first = pid; trace(self->first"
complete 'dtrace -n "pid\$tar' 'ready> dtrace -n "pid\$target:'
complete "dtrace -qn 'BEGIN /execn" "ready> dtrace -qn 'BEGIN /execname"
sleep 1000 & pid=$!
complete "dtrace -p ${pid%?}" "$pid" | sed "s/$pid/PID/g; s/${pid%?}</PI</"
kill $pid
complete 'iosnoop --pro' 'ready> iosnoop --process='
