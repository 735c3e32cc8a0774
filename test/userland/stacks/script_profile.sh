# Perl and Lua that are busy with calls, sort, patterns, closures, objects,
# coroutines and errors: of the samples of a profile 99 in 100 are complete to the
# program's start, whatever they interrupt, with the frame of the script's own code,
# and no frame of the language is without a name.
. "$suite/lib.sh"
command -v lua5.4 > /dev/null || { echo "lua5.4 is missing: apt-get install lua5.4"; exit 1; }

# Frames without a name are counted where they are no file's.
share() {
	awk -v own="$2" -v first="$3" '/^ +[0-9]+$/ { all += $1; if (has_start && has_first) whole += $1; has_start = has_first = 0; next }
	     /__libc_start_main/ { has_start = 1 }
	     $0 ~ first { has_first = 1 }
	     NF { frames++; if ($1 ~ /^0x/) nameless++; if ($0 ~ own) has_own++ }
	     END { print (all >= 500 ? "enough" : all + 0), "samples,",
	           (whole >= all * 0.99 ? "complete" : whole " of " all " complete") ",",
	           (nameless <= frames * 0.01 ? "named" : nameless " of " frames " without a name") ",",
	           (has_own ? "with" : "without"), "functions of the program";
	           if (ENVIRON["measure"]) print all, whole / all, nameless + 0, frames > "/dev/stderr" }' "$1"
}

profile() {
	name=$1
	shift
	mkfifo go.$name
	"$@" < go.$name > said.$name 2>&1 &
	target=$!
	exec 3> go.$name
	await said.$name ready
	"$dtrace" -x aggsize=64m -qn 'profile-997 /pid == $target/ { @[ustack(100)] = count(); n++; }
		tick-10ms /n >= 2000/ { exit(0); }' -p $target > out.$name 2> err
	touch stop.$name
	exec 3>&-
	wait $target
	cat err
}
profile perl perl "$suite/userland/stacks/script_load.pl"
echo "perl: $(share out.perl 'main::fibonacci[(]script_load.pl:[0-9]' 'main::[(]script_load.pl:[0-9]')"
profile lua lua5.4 "$suite/userland/stacks/script_load.lua" stop.lua
echo "lua: $(share out.lua 'fibonacci[(]script_load.lua:1[0-9]' 'main chunk[(]script_load.lua:[0-9]')"
