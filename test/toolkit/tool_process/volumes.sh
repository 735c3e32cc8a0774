# readbytes.d, writebytes.d, readdist.d, writedist.d: bytes and sizes of a known program.
. "$suite/toolkit.sh"
name_of_its_own dd
load() { tool "$@" -- ./$me if=/dev/zero of=there bs=100000 count=50 status=none; }
load readbytes.d | awk -v me=$me '/CMD/ { print $1, $2 } $1 == me { print ($2 >= 5000000 && $2 < 5100000 ? "5 MB" : $2) }'
load writebytes.d | awk -v me=$me '/CMD/ { print $1, $2 } $1 == me { print $2 }'
load readdist.d -n $me | awk '$1 == 65536 { print $1, $NF }'
load writedist.d -n $me | unnamed dd
