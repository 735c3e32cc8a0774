# bitesize.d, seeksize.d, hotspot.d: histograms of known requests, by process or disk.
. "$suite/toolkit.sh"
own_disk 64m
cat > read.sh <<'Y'
exec dd if=$1 of=/dev/null bs=4k count=4 skip=100 iflag=direct status=none
Y
cat > jump.sh <<'Y'
exec python3 jump.py $1
Y
cat > jump.py <<'Y'
import mmap, os, sys
disk = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
page = mmap.mmap(-1, 4096)
for sector in 8, 16, 24, 1024 + 32, 65536 + 1024 + 40, 16:
    os.preadv(disk, [page], sector * 512)
Y
rows() { awk '/\|/ && $NF > 0 { print $1, $NF } /dd if|jump.py|Disk/ { gsub(/[0-9]+ /, "", $1); $1 = $1 ~ /^[0-9]/ ? "pid" : $1; print }' | sed "s,$loop,disk,; s/$disk/disk/; s/:.*7,.*/: major 7/"; }
echo "sizes"
tool bitesize.d -d $disk -- sh read.sh $loop | rows
echo "distances: 0 twice, 1024, 65536, and back"
tool seeksize.d -d $disk -- sh jump.sh $loop | rows
echo "places"
tool hotspot.d -s 8 -d $disk -- sh jump.sh $loop | rows
