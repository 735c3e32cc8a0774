# A project with probes builds with make: C and C++, unoptimised and optimised,
# gcc and clang, in the program and in a library; nobody need be root.
. "$suite/lib.sh"
not_in_guests
build() {
	rm -rf work && mkdir work && chmod 777 work && cd work || exit 1
	HOME=$PWD setpriv --reuid 65534 --regid 65534 --clear-groups \
		make -s -f "$test/project/Makefile" DTRACE="$dtrace" "$@" || exit 1
	./myapp && ./linked
	for file in myapp libserve.so; do
		readelf -n $file | awk '/Provider:/ { p = $2 } /Name:/ { n = $2 }
			/Arguments:/ { sub(/^ *Arguments: */, ""); gsub(/@[^ ]*/, "@"); print p, n, $0 }' | sort
	done
	cd ..
}
chmod 755 .
for how in "gcc c -O0" "gcc c++ -O2" "clang c -O2" "clang c++ -O0"; do
	set -- $how
	echo "$how"
	build CC=$1 LANGUAGE=$2 OPT=$3 > all 2>&1
	uniq all	# an optimiser may have a site twice
done
