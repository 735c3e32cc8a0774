# vfsread.d: distributions of the times of reads, by program and by type of file system; pipes
# only when asked for.
. "$suite/toolkit.sh"
name_of_its_own dd
head -c 200000 /dev/zero > /dev/shm/$me
trap 'rm /dev/shm/$me' EXIT
echo "./$me if=/dev/shm/$me of=/dev/null bs=1000 count=200" > load.sh
reads() { awk -v me=$me '$1 == me { on = 1; print $1, $2, $3; next } NF == 3 && $3 == "ns" || NF == 2 && $2 == "ns" { on = 0 } on && /\|/ { n += $NF }
	END { print (n >= 200) ? "all reads" : n }' | unnamed dd; }
tool vfsread.d -n $me -- sh load.sh > out
head -1 out
reads < out
tool vfsread.d -f -n $me -- sh load.sh | awk '$3 == "ns" { on = ($2 == "tmpfs") } on && /\|/ { n += $NF } END { print n, "reads of tmpfs" }'
echo "cat load.sh | ./$me of=/dev/null bs=1 count=20" > pipe.sh
tool vfsread.d -f -n $me -- sh pipe.sh | grep -c pipefs
tool vfsread.d -af -n $me -- sh pipe.sh | awk '$3 == "ns" { on = ($2 == "pipefs") } on && /\|/ { n += $NF } END { print n, "reads of the pipe" }'
