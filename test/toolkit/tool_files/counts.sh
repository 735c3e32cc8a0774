# vopstat, fsrwcount.d, fsrwtime.d: operations on a file system of its own.
. "$suite/toolkit.sh"
mkdir there
mount -t tmpfs counts there
trap 'umount there' EXIT
name_of_its_own dd
load="./$me if=/dev/zero of=there/file bs=1000 count=60 status=none"
tool vopstat -m "$(pwd -P)/there" -- $load | awk '/VOP/ { print $1, $2, $3 } $1 == "vop_write" { print $1, $2, ($3 > 0 ? "some time" : $3) }'
tool fsrwcount.d -n $me -- $load | awk '/SYSCALL/ || $1 $2 == "tmpfswrite" { print $1, $2, $3 }'
tool fsrwtime.d -n $me -- $load | awk '/\(ns\)/ { what = $1 " " $2 } what == "tmpfs write" && /\|/ { n += $NF } END { print "tmpfs write", n }'
