# fsrw.d: writes of a known program, and the disk requests that they become.
. "$suite/toolkit.sh"
own_ext4 8m
tool fsrw.d -- dd if=/dev/zero of=there/file bs=4096 count=2 conv=fsync status=none |
	awk -v disk=$disk -v file="$PWD/there/file" 'NR == 1 { print $1, $2, $3, $4, $5, $6 }
		$NF == file && $1 == "sc-write" { print $1, $2, $3, $4, $5 }
		$2 == disk && $3 == "W" && $NF ~ /file$/ { bytes += $4 }
		END { print "to the disk:", bytes }'
