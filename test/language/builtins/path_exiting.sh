# A task that exits has no root any more; paths that are asked for there begin at the top.
mkdir here
cat > run.sh <<'X'
cd here
/bin/true
exit
X
# it may leave its CPU more than once
"$dtrace" -qn 'sched:::off-cpu /ppid == $target && curthread->fs == NULL/ {
	@[basename(d_path((struct path *)&curthread->real_parent->fs->pwd))] = count(); }
	END { printa("%s\n", @); }' -c "sh run.sh" 2>&1
