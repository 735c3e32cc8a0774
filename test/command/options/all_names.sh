# Every option is known with its kind of value, and #pragma refuses those that are not a program's affair.
# @anykernel: nothing is loaded
check() { # KIND GOOD BAD NAMES...
	kind=$1 good=$2 bad=$3
	shift 3
	for name in "$@"; do
		"$dtrace" -x "$name$good" -e -n BEGIN 2>/dev/null || echo "$kind $name$good refused"
		[ "$bad" ] || continue
		"$dtrace" -x "$name=$bad" -e -n BEGIN 2>/dev/null && echo "$kind $name=$bad accepted"
	done
}
check bool '' maybe aggpercpu argref cpp cpphdrs countlost defaultargs debug droptags empty errtags lazyload linknommap \
	nolibs pspec strip verbose zdefs destructive explain grabanon inlines noresolve temporal flameidle agghist aggpack aggzoom \
	aggsortkey aggsortrev beginfirst flowindent quiet quietresize rawbytes kdefs knodefs udefs unodefs bpflog blockingreads
check size =64k many aggsize bpflogsize bufsize dynvarsize jstackstrsize pcapsize printsize scratchsize symsize unwindsize \
	specsize strsize
check rate =10hz often deadman cleanrate statusrate aggrate switchrate
check number =3 few disasm iregs pgmax tree tregs useruid jstackframes looplimit maxframes nspec stackframes \
	ustackframes aggsortkeypos aggsortpos stackindent
check number =0 many cpu
check text =/tmp '' core cpppath ctypes dtypes ctfpath dofstashpath ldpath libdir modpath procfspath sysslice \
	objcopypath syslibdir cppargs
check text =A=b '' define setenv
check text =A '' undef unsetenv
check text =. '' incdir
check enum =utf8 latin1 encoding
check enum =illumos solaris errtags
check enum =main later evaltime
check enum =static never late
check enum =dynamic loose linkmode
check enum =dof coff linktype
check text =/dev/null '' record flame folded pprof speedscope proctree lives checkerboard
check text =x '' flameby
check text =.svg '' heatmap offsetmap
check text =ns '' title unit
check enum =hour week offsetof
check rate =10hz often interval
check enum =json yaml oformat
check enum =c z stdc
check enum =ring square bufpolicy
check enum =manual never bufresize
check text =unlimited '' lockmem
check version =1.2 99.0 version
check attributes =Private/Private/Unknown Foo amin
for name in core=x cpphdrs cpppath=x ctypes=x dtypes=x ctfpath=x debug define=x undef=x incdir=x ldpath=x \
	libdir=x linktype=elf modpath=x procfspath=x sysslice=x useruid=1 preallocate=1m objcopypath=x stdc=a \
	syslibdir=x tree=1 record=x heatmap=x offsetmap=x flame=x folded=x pprof=x speedscope=x \
	proctree=x lives=x checkerboard=x; do
	printf '#pragma D option %s\nBEGIN { }\n' $name >x.d
	"$dtrace" -e -s x.d 2>&1 | grep -q 'Option cannot be used from within a D program' || echo "$name not refused"
done
# values
for value in yes enable enabled true on set; do
	"$dtrace" -x quiet=$value -n 'BEGIN { exit(0); }'
done
for value in no disable disabled false off unset; do
	"$dtrace" -x quiet=$value -n 'BEGIN { exit(0); }' 2>&1 | head -1
done
for value in 1 0x10 010 4k 4K 2m 1g; do
	"$dtrace" -e -x bufsize=$value -n BEGIN || echo "$value refused"
done
for value in 1 9ns 9nsec 9us 9usec 9ms 9msec 9s 9sec 9m 9min 1h 1hour 1d 1day 9hz 9HZ 9Sec; do
	"$dtrace" -e -x aggrate=$value -n BEGIN || echo "$value refused"
done
for value in -1 4kb 4b 99999999t ''; do
	"$dtrace" -e -x bufsize=$value -n BEGIN 2>/dev/null && echo "size $value accepted"
done
true
