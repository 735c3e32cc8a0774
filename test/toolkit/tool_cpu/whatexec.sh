# whatexec.d: a program and a script, with its interpreter.
. "$suite/toolkit.sh"
printf '#!/bin/sh -e\ntrue\n' > script_of_a_test
chmod 755 script_of_a_test
cp /bin/true program_of_test
run() { ./script_of_a_test; ./program_of_test; }
tool whatexec.d -- run | awk 'NR == 1; $NF ~ /_of_/ { $2 = $2 > 0 ? "pid" : $2; print }'
