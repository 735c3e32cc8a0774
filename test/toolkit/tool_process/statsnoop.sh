# statsnoop: paths whose attributes a known program asks for, by call, with results.
. "$suite/toolkit.sh"
cat > asks.py <<'Y'
import os
open("there", "w").close()
os.mkdir("directory")
for path in "there", "absent", "directory":
    try: os.stat(path)
    except OSError: pass
os.lstat("there")
os.rmdir("directory")
fd = os.open("there", os.O_RDONLY)
os.fstat(fd)
Y
name_of_its_own python3
snoop() { tool statsnoop -n $me "$@" -- ./$me asks.py | unnamed python3; }
echo "paths"
snoop | awk 'NR == 1 { print } $5 ~ /^(there|absent|directory)$/ { print $3, $4, $5 } $5 ~ /\/there$/ { opened = 1 }
	END { print opened ? "an open file" : "no open file" }'
echo "failed ones, with the reason"
snoop -xe -f absent | awk 'NR > 1 { print $3, $4, $5, $6 }'
echo "by call"
snoop -l -t newfstatat -f directory | awk 'NR > 1 { print $4, $5, $6 }'
