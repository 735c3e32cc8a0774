# All manual pages are well-formed, are found by `man -k dtrace`, refer to pages that exist,
# and have their examples run by a test beside this one.
# @anykernel: nothing here depends on the kernel
# @once: the pages do not depend on the build
top=$suite/..
for section in 1 4 7 8; do
	mkdir -p pages/man$section
	cp "$top"/doc/*.$section pages/man$section
done
for script in "$top"/toolkit/*; do
	awk -f "$top/tools/tool_manual.awk" "$script" > "pages/man8/${script##*/}.8"
done
for link in $(sed -n 's/^MAN4_LINKS := //p' "$top/Makefile"); do
	ln -s "dtrace_${link#*:}.4" "pages/man4/dtrace_${link%:*}.4"
done

mandoc -Tlint pages/man[1478]/*

# man-db's index, and mandoc's
mandb -qc pages 2> /dev/null
man -M "$PWD/pages" -k dtrace > found
makewhatis pages
mapropos -M "$PWD/pages" dtrace > found.mandoc
for page in pages/man[1478]/*; do
	name=${page##*/}
	for index in found found.mandoc; do
		grep -q "\b${name%.*} \?(${name##*.})\|\b${name%.*}(${name##*.})\|\b${name%.*}, .*(${name##*.})" $index || echo "$index: no $name"
	done
done

for provider in $("$dtrace" --check | sed -n 's/^\([a-z]\w*\) .*/\1/p'); do
	grep -q "\bdtrace_$provider\b" found && found=$((found + 1)) || echo "no page of $provider"
done
[ "${found:-0}" -gt 25 ] && echo "pages of all providers"

python3 - "$PWD/pages" "$suite/command/manual" <<'PY'
import glob, os, re, sys
pages = {os.path.basename(path) for path in glob.glob(sys.argv[1] + "/man*/*")}
names = {page.rpartition(".")[0] for page in pages}
number = 0
for path in glob.glob(sys.argv[1] + "/man*/*"):
    text = re.sub(r"\\f.", "", open(path).read().replace("\\-", "-").replace("\\&", ""))
    text = re.sub(r"^\.BR? (\S+) \((\d)\)", r"\1(\2)", text, flags=re.M)
    for name, section in re.findall(r"(?<![\w/.-])([A-Za-z][\w.-]*)\((\d)\)", text):
        if name in names or name.startswith("dtrace"):
            number += 1
            if f"{name}.{section}" not in pages:
                print(f"{os.path.basename(path)}: there is no {name}({section})")
print("many references" if number > 200 else f"{number} references")
tests = "".join(open(path).read() for path in glob.glob(sys.argv[2] + "/*.sh"))
for path in glob.glob(os.path.dirname(sys.argv[2]) + "/../../doc/*.[1478]"):
    if not re.search(r"\b%s\b" % re.escape(os.path.basename(path)), tests):
        print(f"{os.path.basename(path)}: no test runs its examples")
PY
