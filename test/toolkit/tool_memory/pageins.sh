# pgpginbypid.d, pgpginbyproc.d: a file of 256 pages, read from a disk for the first time.
. "$suite/toolkit.sh"
own_ext4 16m
head -c 1048576 /dev/zero > there/file
name_of_its_own dd
cold() { umount there && mount $loop there; }
many='($NF >= 256 && $NF < 1000 ? "256 and some of its file system" : $NF)'
./$me if=/dev/zero of=/dev/null count=1 status=none	# its own pages are in memory
cold
tool pgpginbypid.d -- ./$me if=there/file of=/dev/null bs=1M status=none | awk -v me=$me "/CMD/ { print \$1, \$2, \$3 } \$2 == me { print $many }"
cold
tool pgpginbyproc.d -- ./$me if=there/file of=/dev/null bs=1M status=none | awk -v me=$me "/CMD/ { print \$1, \$2 } \$1 == me { print $many }"
