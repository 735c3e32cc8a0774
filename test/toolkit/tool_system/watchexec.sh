# watchexec.d: programs with user and whole command line; filters.
. "$suite/toolkit.sh"
cp /bin/echo watched
cp /bin/echo ignored
run() { ./watched one "two three"; ./ignored four; setpriv --reuid 12345 --clear-groups "$PWD/watched" five; }
chmod 755 . 2> /dev/null
tool watchexec.d -n watched -- run | awk '{ if (NR > 1) { $1 = $2 = $3 = $4 = ""; $7 = $7 > 0; $9 = $9 > 0; sub(/[^ ]*\//, "") }; print }'
echo "of a user"
tool watchexec.d -u 12345 -- run | awk 'NR > 1 { print $5, $6, $NF }'
