# --complete offers options, their values, probes and the parameters of scripts.
cat > slower.d <<'END'
#pragma D parameter min_time time = 10ms "limit"
#pragma D parameter name string "program"
#pragma D parameter wide bool "long lines"
BEGIN { exit(0); }
END
c() { echo "[$*]"; "$dtrace" --complete "$@"; }
c
c -
c --
c --re
c --replay ''
c -x bufp
c -x bufpolicy=
c -x quiet
c -x quiet=
c -qxbufpolicy=r
c -n sysc
c -n syscall::openat:
c -n 'BEGIN, syscall:vmlinux:preadv:'
c -n 'syscall:::entry { trace'
c -n B
c -P sys
c -P sys:
c -m syscall:
c -f syscall::preadv
c -n nosuch:
c -s slow
c -s slower.d --
c -qs slower.d --w
c -s slower.d --n
c -s slower.d --name=x --min
c -s slower.d --name --
c -s slower.d --wide --w
c -s slower.d --min_time --
c -s slower.d -- --
c -n '#pragma D parameter inner int "x"
BEGIN' --i
c -s nosuch.d --
echo '#pragma D parameter' > wrong.d
c -s wrong.d --h
sed 's/name string/name -n string/; s/wide bool/wide -x bool/' slower.d > letters.d
c -s letters.d -x
c -s letters.d -n sysc
c -s letters.d -n a --w
