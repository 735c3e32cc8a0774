# A counter of the kernel's: a program touches 40,000 pages, and every 5,000 on
# a CPU make a firing, whoever's fault is the last of them; in user mode.
cat > touch.py <<'X'
import mmap
memory = mmap.mmap(-1, 40000 * 4096)
for page in range(40000):
    memory[page * 4096] = 1
X
least=$((8 - $(nproc)))
[ $least -gt 0 ] || { echo "too many CPUs for this test"; exit 77; }
"$dtrace" -qn '
	cpc:::page_faults-user-5000 { n++; in_user += arg0 == 0 && arg1 != 0; }
	cpc:::page_faults-user-5000 /pid == $target/ { mine++; }
	END { printf("%s, some in the program: %s, in user mode: %s\n", n >= $1 ? "as often as must be" : "too seldom",
	    mine > 0 ? "yes" : "no", in_user == n ? "all" : "not all"); }' -c 'python3 touch.py' $least
