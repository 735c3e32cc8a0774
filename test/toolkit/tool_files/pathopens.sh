# pathopens.d: opens that succeed, by whole path.
. "$suite/toolkit.sh"
cat > opens.py <<'Y'
import os
for path in ["one"] * 3 + ["./two"] * 2 + ["absent"]:
    try: os.close(os.open(path, os.O_RDONLY))
    except OSError: pass
Y
touch one two
tool pathopens.d -- python3 opens.py | awk -v here="$(pwd -P)" '
	$1 == "COUNT" { print } index($2, here "/") == 1 && $2 ~ /(one|two|absent)$/ { sub(/.*\//, "", $2); print $1, $2 }'
