# Tab in zsh: options, values, probes inside and outside of quotes, members, processes, tools.
. "$suite/shells.sh"
cp "$suite/../toolkit/iosnoop" bin
cat > .zshrc <<END
PS1='ready> '
fpath=($suite/../share/zsh \$fpath)
autoload -U compinit
compinit -u -D
compdef _dtrace iosnoop
unsetopt list_beep beep
bindkey -e
END
start_shell env ZDOTDIR="$PWD" zsh
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
complete "dtrace -n 'BEGIN { trace(curpsinfo->pr_p" "pr_psargs  -- string"
complete 'dtrace -n "pid\$tar' 'ready> dtrace -n "pid\$target:'
complete "dtrace -qn 'BEGIN /execn" "ready> dtrace -qn 'BEGIN /execname"
complete 'iosnoop --pro' 'ready> iosnoop --process='
