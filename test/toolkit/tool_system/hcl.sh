# hcl: the devices that /sys has, with their drivers; and a page of what modules support,
# in which no name can be anything but text.
. "$suite/toolkit.sh"
hcl=$suite/../toolkit/hcl
mkdir ids modules
cat > ids/pci.ids <<'I'
# a few, one of them hostile
8086  Intel Corporation
	1533  I210 Gigabit Network Connection
		8086 0001  Ethernet Server Adapter I210-T1
1af4  Red Hat, Inc.
	1041  Virtio 1.0 network device
dead  </script><script>document.title="executed"</script>
	beef  "quoted" \ <img src=x onerror=document.title="executed"> & more
C 02  Network controller
	00  Ethernet controller
I
printf '0424  SMSC\n\t9d01  a\033[31mb\n' > ids/usb.ids
cat > modules/modules.alias <<'A'
# Aliases extracted from modules themselves.
alias pci:v00008086d00001533sv*sd*bc*sc*i* igb
alias pci:v00008086d00001533sv00008086sd00000001bc*sc*i* igb_special
alias pci:v*d*sv*sd*bc02sc00i* any_ethernet
alias pci:v0000DEADd0000BEEFsv*sd*bc*sc*i* hostile
alias usb:v0424p9D01d*dc*dsc*dp*ic*isc*ip*in* smscufx
alias virtio:d00000001v* virtio_net
alias acpi*:INTC1085:* pinctrl_alderlake
alias of:N*T*Cnxp,imx8 imx
alias fs-ext4 ext4
alias cpu:type:x86,ven*fam*mod*:feature:*0016* acpi_cpufreq
A
printf 'e1000.license=GPL\0e1000.alias=pci:v00008086d00001533sv*sd*bc*sc*i*\0' > modules/modules.builtin.modinfo

echo "devices"
"$hcl" -i ids > out
head -1 out | tr -s ' '
# each device of these buses, and what has it
for bus in pci virtio; do
	for device in /sys/bus/$bus/devices/*; do
		[ -e "$device/modalias" ] || continue
		driver=$(readlink "$device/driver")
		mark=
		[ -n "$driver" ] || { driver=-; mark=!; }
		echo "$bus $mark ${device##*/} ${driver##*/}"
	done
done | tr -s ' ' > expected
awk 'NR > 1 && ($1 == "pci" || $1 == "virtio") { if ($2 == "!") print $1, $2, $3, $5; else print $1, $2, $4 }' out > listed
[ -s expected ] && cmp expected listed && echo "as /sys has them"
"$hcl" -u -i ids | awk 'NR > 1 && $2 != "!"'
"$hcl" -b virtio -i ids | awk 'NR > 1 && $1 != "virtio"'

echo "a page"
"$hcl" --page page.html -m modules -i ids
echo "status $?"
python3 - <<'PY'
import json, re
page = open("page.html", encoding="utf-8").read()
scripts = re.findall(r"(?is)<script[^>]*>(.*?)</script", page)
data = json.loads(scripts[0])
print(data["kernel"], "scripts:", len(scripts), "others:", len(re.findall(r"(?i)https?://|<img|\x1b", page)))
for row in data["rows"]:
    print(row)
PY

echo "refused"
"$hcl" --page none.html -m ids 2>&1 | sed 's/: the/:/'
ls none.html 2>&1 | sed 's/.*: //'
"$hcl" --page /nonexistent/page.html -m modules > err 2>&1
echo "$? $(tail -1 err)"
"$hcl" -b none 2>&1
"$hcl" --page 2>&1 | head -1
"$hcl" more 2>&1 | head -1
"$hcl" --help | head -1

# the modules of this kernel, where they are installed
real=/lib/modules/$(uname -r)
if [ -r "$real/modules.alias" ]; then
	"$hcl" --page real.html
	grep -c '^\["virtio","","","1","network","virtio_net' real.html
else
	echo 1
fi
