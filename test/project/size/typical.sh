# Ten typical programs stay as small as they are: a regression shows without a clock.
# Numbers are instructions of all programs together, on any kernel at most.
check() {
	limit=$1 name=$2 program=$3
	count=$("$dtrace" -S -e -n "$program" 2>&1 | awk '/^; [0-9]+ instructions,/ { sum += $2 } END { print sum + 0 }')
	if [ "$count" -eq 0 ]; then
		echo "$name: no code"
	elif [ "$count" -gt "$limit" ]; then
		echo "$name: $count instructions, more than $limit"
	elif [ $((count * 100)) -lt $((limit * 85)) ]; then
		echo "$name: $count instructions, much less than $limit: lower the limit"
	else
		echo "$name: as small as it was"
	fi
}
check 113 'count by execname' 'syscall:::entry { @[execname] = count(); }'
check 104 'count by probefunc' 'syscall:::entry { @[probefunc] = count(); }'
check 126 'read sizes of one program' 'syscall::read:return /execname == "mysqld"/ { @ = quantize(arg1); }'
check 243 'time by thread' 'syscall::read:entry { self->t = timestamp; } syscall::read:return /self->t/ { @[execname] = quantize(timestamp - self->t); self->t = 0; }'
check 113 'five fields' 'syscall::open*:entry { printf("%d %d %s %d %d", pid, tid, execname, timestamp, arg0); }'
check 223 'names of opened files' 'syscall::openat:entry { printf("%s %s", execname, copyinstr(arg1)); }'
check 1468 'bytes by file' 'syscall::read:entry { @[fds[arg0].fi_pathname] = sum(arg2); }'
check 210 'associative array' 'syscall:::entry { calls[pid, probefunc]++; }'
check 3900 'both stacks' 'profile-997 { @[stack(), ustack()] = count(); }'
check 401 'speculation' 'syscall::openat:entry { self->s = speculation(); speculate(self->s); printf("%s", execname); } syscall::openat:return /self->s && errno/ { commit(self->s); self->s = 0; } syscall::openat:return /self->s/ { discard(self->s); self->s = 0; }'
