# opensnoop: each open of a known program with path, descriptor and error; filters.
. "$suite/toolkit.sh"
cat > opens.py <<'Y'
import os
for path in "there", "absent", "there":
    try: os.open(path, os.O_RDONLY)
    except OSError: pass
Y
touch there
name_of_its_own python3
snoop() { tool opensnoop "$@" -- ./$me opens.py | grep -w "COMM\|$me" | sed "s/$me/python3/"; }
echo "paths, and descriptors that succeed"
snoop | awk 'NR == 1 || /there|absent/ { print (NR == 1 ? $0 : ($4 >= 0 ? "fd " : "-1 ") $NF) }'
echo "failed ones, with the reason"
snoop -xe -f absent | awk 'NR > 1 { print $3, $4, $5, $6 }'
echo "another program's"
tool opensnoop -n nosuch -f there -- python3 opens.py
