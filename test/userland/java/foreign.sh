# A virtual machine of another user in namespaces of its own, as in a container: its
# process number, its /tmp and its network are others than ours; it is not allowed to
# execute files in /tmp.
. "$suite/java.sh"
javac -d . "$test/Methods.java" || exit 1
mkdir room
cat > inside.sh <<'X'
mount -t tmpfs -o noexec,mode=1777 none /tmp
mount -t tmpfs -o mode=1777 none /var/tmp
mount -t proc none /proc
cp *.class /tmp
cd /tmp
exec setpriv --reuid=65534 --regid=65534 --clear-groups java -XX:-UsePerfData -cp /tmp Methods
X
mkfifo go
unshare -m -n -p -f sh inside.sh < go > said 2>&1 &
outer=$!
exec 3> go
await said ready
target=$(cat /proc/$outer/task/$outer/children | tr -d ' ')
awk '/^NSpid/ { print "in its namespace it is " $NF }' /proc/$target/status
trace_java "" '
java$target:Methods:text:entry { printf("text [%s]\n", args[0]); }
java$target:Methods:half:return { @[probefunc, uid] = count(); }' go went
cat out
ls -A /proc/$target/root/var/tmp
cat said
