# ps in D: one clause walks the list of all tasks, and finds what /proc has, kernel threads included.
cat > ps.d <<'D'
BEGIN
{
	struct list_head *start = &curthread->group_leader->tasks, *l = start;

	do {
		struct task_struct *t = (struct task_struct *)
		    ((uintptr_t)l - offsetof(struct task_struct, tasks));

		if (t->pid)
			printf("%d %d %s\n", t->pid, t->real_parent->tgid, t->comm);
		l = l->next;
	} while (l != start);
	exit(0);
}
D
cat > compare.py <<'P'
import os, subprocess, sys
def listed():
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = open("/proc/%s/stat" % pid, errors="replace").read()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:].rsplit(")", 1)
        found[int(pid)] = (int(rest.split()[1]), name)
    return found
before = listed()
lines = subprocess.run([sys.argv[1], "-qs", "ps.d"], stdout=subprocess.PIPE, errors="replace").stdout.splitlines()
after = listed()
walked = {}
for line in filter(None, lines):
    pid, parent, name = line.split(" ", 2)
    walked[int(pid)] = (int(parent), name)
# Processes come and go; those that stay must be there, as they are.
steady = {pid: of for pid, of in before.items() if after.get(pid) == of}
# /proc makes names of kernel threads longer than comm is.
def is_same(of, walked):
    return walked and of[0] == walked[0] and of[1].startswith(walked[1])
missing = {pid: of for pid, of in steady.items() if not is_same(of, walked.get(pid))}
# What was there in between only is gone now.
extra = [pid for pid in walked if pid not in before and pid not in after and os.path.exists("/proc/%d" % pid)]
threads = [pid for pid, (parent, name) in steady.items() if parent == 2 and walked.get(pid)]
print("missing or different:", missing)
print("too many:", extra)
print("more than the test itself:", len(steady) > 2, len(threads) > 2)
P
python3 compare.py "$dtrace"
