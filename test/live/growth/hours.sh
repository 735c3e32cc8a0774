# Memory does not grow with what has come and gone: two hours of keys and stacks, of which a minute is kept.
# @anykernel: the server, not the kernel
# @once: a page for people, with libraries that guests and sanitizers lack
"$test/growth.py" "$(dirname "$dtrace")/dtlive" "$triggers/write_hours" --seconds 7200 --rows 32 --retention 60s --margin 1.5 2> err || cat err
