#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other kernels: Debian's stock ones in QEMU guests that see this machine's files.

    guest.py fetch SERIES DIR            kernel of a series (6.1, 6.12, 6.18, newest) into DIR
    guest.py run DIR [--timeout S] [--network] CMD   boot it, run CMD as root, print what it prints, exit with its status

The guest's root is the host's, read-only over 9p, under a tmpfs overlay: the
built binaries, libraries and test files are simply there, and what the command
writes is gone afterwards.  Nothing is installed: the package is downloaded with
a private apt state from the mirror this machine already uses, and unpacked.

The kernel's modules are where modprobe looks for them; a test loads what it needs.

"newest" is what linux-image-amd64 of Debian's unstable suite depends on at the time of
fetching.  It stays until its directory is removed.

No KVM is assumed (software emulation: 3 to 10 seconds to boot).  The kernel is
booted as the uncompressed ELF file inside the package's image: that is faster
and, with two CPUs, more reliable than the compressed one.

The emulator can run each CPU in a thread of its own (--threads multi).  Then a
CPU can still execute a breakpoint that another one has put into the kernel's
text and already taken out again (that is how tracepoints are switched on and
off); real processors cannot.  The kernel dies of it with "Oops: int3".  With all
CPUs in one thread (--threads single) that cannot happen.  It also takes a fifth
less of the host's time, so it is what the checks use, two guests side by side.

The other end that only an emulator can make: a kernel that dies with flags that
no processor has (bits 22 and up of EFLAGS are always 0).  Debian 12's QEMU 7.2
did that once; it works out the flags lazily, and
that part was rewritten since.  So the emulator is a newer one, fetched like the kernels
and unpacked beside them; where it cannot be had, the installed one serves.

A kernel measures its clock against the emulated timers, and once in a while, on a
busy machine, it is wrong by a factor; so it is told (triggers/tsc.c).

A command that comes to no end, for these reasons or another, is run once more.
That is told as UNSTEADY with the last lines of the guest (run.py), for a kernel
that dies is worth a look even where it does so once.
"""
import argparse, base64, collections, glob, os, re, shutil, subprocess, sys, tempfile, threading

import surroundings

SUITES = {"6.1": "bookworm", "6.12": "bookworm-backports", "6.18": "trixie-backports", "newest": "sid"}
MODULES = ["virtio_pci", "9pnet_virtio", "9p", "overlay"]
COMPRESSIONS = [(b"\xfd7zXZ\x00", ["xz", "-dc"]), (b"\x28\xb5\x2f\xfd", ["zstd", "-dcq"]),
                (b"\x1f\x8b\x08", ["gzip", "-dc"]), (b"\x02!L\x18", ["lz4", "-dc"])]
STATUS = "@@status "
EMULATOR_FAULT = re.compile(r"Oops: int3:|EFLAGS: (?!00[0-3])[0-9a-f]{8}\b")
LAST_LINES = 40
NICE = 5        # its CPUs never wait: those who run tests of this machine beside it come first, and it still gets on
TSC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/triggers/tsc")
EMULATOR = {"suite": "bookworm-backports", "packages": ["qemu-system-x86", "qemu-system-common", "qemu-system-data", "seabios"]}

INIT = r"""#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc proc /proc; $B mount -t sysfs sys /sys; $B mount -t devtmpfs dev /dev
for m in $($B cat /mods/order); do $B insmod /mods/$m.ko || echo "insmod $m failed"; done
$B mkdir -p /lower /rw
$B mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro host /lower
$B mount -t tmpfs rw /rw; $B mkdir /rw/upper /rw/work
$B mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work root /mnt
for d in proc sys dev; do $B mount --move /$d /mnt/$d; done
$B mount -t tracefs tracefs /mnt/sys/kernel/tracing
$B mkdir -p /mnt/dev/shm; $B mount -t tmpfs shm /mnt/dev/shm
$B mkdir -p /mnt/dev/pts; $B mount -t devpts pts /mnt/dev/pts
$B ip link set lo up
modules=$($B sed -n 's/.* MODULES=\([^ ]*\) .*/\1/p' /mnt/proc/cmdline)
[ -z "$modules" ] || { $B mkdir -p /mnt/usr/lib/modules; $B ln -s "$modules" /mnt/usr/lib/modules/; }
cmd=$($B sed -n 's/.*CMD=\(.*\)$/\1/p' /mnt/proc/cmdline | $B base64 -d)
$B chroot /mnt /usr/bin/env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DTRACE_TEST_GUEST=1 /bin/sh -c "$cmd"
echo "@@status $?"
$B poweroff -f
"""


def mirror():
    """The Debian mirror that this machine's own apt configuration names."""
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*")]:
        if os.path.exists(path):
            with open(path) as file:
                for word in file.read().split():
                    if re.fullmatch(r"https?://.*/debian/?", word):
                        return word
    sys.exit("guest.py: no Debian mirror in apt's configuration")


def private_apt(suite, into):
    """Options that give apt one suite of the mirror and a state of its own, up to date."""
    state = os.path.join(into, "apt")
    for part in ["lists/partial", "cache/archives/partial"]:
        os.makedirs(os.path.join(state, part), exist_ok=True)
    sources = os.path.join(state, "sources.list")
    with open(sources, "w") as file:
        file.write(f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror()} {suite} main\n")
    private = [f"-oDir::State::lists={state}/lists", f"-oDir::Cache={state}/cache", f"-oDir::Etc::sourcelist={sources}",
               "-oDir::Etc::sourceparts=-", "-oAPT::Sandbox::User=root", "-oAcquire::Retries=5"]
    subprocess.check_call(["apt-get", *private, "update", "-qq"])
    return private


def depends(private, package, pattern):
    """Packages that one depends on and whose names match."""
    said = subprocess.check_output(["apt-cache", *private, "depends", package], text=True)
    return [name for name in re.findall(r"Depends: (\S+)", said) if re.fullmatch(pattern, name)]


def kernel_package(private, series):
    """The newest stock kernel of the series."""
    if series == "newest":
        return depends(private, "linux-image-amd64", r"linux-image-\d.*")[0]
    listed = subprocess.check_output(["apt-cache", *private, "pkgnames", f"linux-image-{series}."], text=True)
    stock = re.compile(rf"linux-image-{re.escape(series)}[.\d]*[-+][\w+]*-?amd64")
    names = [name for name in listed.split() if stock.fullmatch(name)]
    if not names:
        sys.exit(f"guest.py: the archive has no kernel {series}")
    return max(names, key=lambda name: [int(n) for n in re.findall(r"\d+", name)])


def download(series, into):
    """The package files of a kernel; since 6.19 one package only names the others."""
    private = private_apt(SUITES[series], into)
    package = kernel_package(private, series)
    names = depends(private, package, r"linux-(base|binary|modules)-\d.*") or [package]
    for name in names:
        subprocess.check_call(["apt-get", *private, "download", "-qq", name], cwd=into)
    return glob.glob(into + "/*.deb")


def fetch_emulator(into):
    """The emulator, unpacked into a directory of its own; leaves none behind that does not start."""
    if os.path.exists(into + "/ready"):
        return
    os.makedirs(into, exist_ok=True)
    try:
        private = private_apt(EMULATOR["suite"], into)
        for package in EMULATOR["packages"]:
            subprocess.check_call(["apt-get", *private, "download", "-qq", package], cwd=into)
        for package in glob.glob(into + "/*.deb"):
            subprocess.check_call(["dpkg", "-x", package, into])
            os.remove(package)
        version = subprocess.check_output([emulator(into)[0], "--version"], text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"guest.py: the installed emulator serves, a newer one cannot be had ({error})", flush=True)
        return
    with open(into + "/ready", "w") as file:
        file.write(version)


def emulator(directory):
    """The command that starts the emulator unpacked there."""
    return [directory + "/usr/bin/qemu-system-x86_64", "-L", directory + "/usr/share/qemu", "-L", directory + "/usr/share/seabios"]


def uncompressed_kernel(image, out):
    with open(image, "rb") as file:
        data = file.read()
    for magic, tool in COMPRESSIONS:
        at = data.find(magic)
        while at >= 0:
            elf = subprocess.run(tool, input=data[at:], capture_output=True).stdout
            if elf.startswith(b"\x7fELF"):
                with open(out, "wb") as file:
                    file.write(elf)
                return
            at = data.find(magic, at + 1)
    sys.exit(f"guest.py: no ELF kernel inside {image}")


def kernel_image(kernel):
    """The compressed kernel in the unpacked packages."""
    return (glob.glob(kernel + "/boot/vmlinuz-*") + glob.glob(kernel + "/usr/lib/modules/*/vmlinuz"))[0]


def modules_in_order(kernel):
    """MODULES and what they depend on, uncompressed, in the order of loading."""
    paths = {}
    for path in glob.glob(kernel + "/**/*.ko*", recursive=True):
        paths[re.sub(r"\.ko(\.xz|\.zst)?$", "", os.path.basename(path)).replace("-", "_")] = path
    order = {}

    def add(name):
        if name in order or name not in paths:      # not there: built into the kernel
            return
        tool = {".xz": ["xz", "-dc"], ".zst": ["zstd", "-dcq"]}.get(os.path.splitext(paths[name])[1], ["cat"])
        blob = subprocess.check_output([*tool, paths[name]])
        depends = re.search(rb"\x00depends=([^\x00]*)", blob)
        for other in depends.group(1).decode().split(",") if depends else []:
            add(other.replace("-", "_"))
        order[name] = blob

    for name in MODULES:
        add(name)
    return order


def initramfs(kernel, out):
    with tempfile.TemporaryDirectory() as root:
        for name in "bin proc sys dev tmp mods mnt".split():
            os.makedirs(os.path.join(root, name))
        shutil.copy("/bin/busybox", root + "/bin/busybox")
        order = modules_in_order(kernel)
        for name, blob in order.items():
            with open(f"{root}/mods/{name}.ko", "wb") as file:
                file.write(blob)
        with open(root + "/mods/order", "w") as file:
            file.write(" ".join(order))
        with open(root + "/init", "w") as file:
            file.write(INIT)
        os.chmod(root + "/init", 0o755)
        subprocess.check_call(f"find . | cpio -o -H newc --quiet > {os.path.abspath(out)}", shell=True, cwd=root)


def modules_directory(kernel):
    """Where the modules of the unpacked package are, or None."""
    found = glob.glob(kernel + "/lib/modules/*") + glob.glob(kernel + "/usr/lib/modules/*")
    return found[0] if found else None


def index_modules(kernel):
    """What modprobe reads; the package leaves it to the machine it is installed on."""
    directory = modules_directory(kernel)
    if directory and not os.path.exists(directory + "/modules.dep.bin"):
        base, version = directory.split("/lib/modules/")
        subprocess.check_call(["depmod", "-b", base, version])


def refresh(kernel, into):
    """The initramfs, again when INIT is not the one it was made with."""
    index_modules(kernel)
    used = into + "/init"
    if os.path.exists(used):
        with open(used) as file:
            if file.read() == INIT:
                return
    initramfs(kernel, into + "/initrd.new")
    os.replace(into + "/initrd.new", into + "/initrd")      # a guest may be starting
    with open(used, "w") as file:
        file.write(INIT)


def fetch(series, into):
    into = os.path.abspath(into)
    kernel = os.path.join(into, "kernel")
    fetch_emulator(os.path.dirname(into) + "/emulator")
    if os.path.exists(into + "/ready"):
        refresh(kernel, into)
        return
    os.makedirs(into, exist_ok=True)
    packages = download(series, into)
    for package in packages:
        subprocess.check_call(["dpkg", "-x", package, kernel])
    uncompressed_kernel(kernel_image(kernel), into + "/vmlinux")
    refresh(kernel, into)
    for package in packages:
        os.remove(package)
    with open(into + "/ready", "w") as file:
        file.write("".join(os.path.basename(package) + "\n" for package in packages))


def clock_rate():
    """What tells the kernel the rate of its clock: the emulator's counter is this machine's."""
    if not os.path.exists(TSC):
        return ""
    return f"tsc_early_khz={subprocess.check_output([TSC], text=True).strip()} "


# A guest on QEMU's own network: it is 10.0.2.15, and reaches what this machine reaches.
NETWORK = ["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="]
JOIN = "modprobe virtio_net && ip link set eth0 up && ip addr add 10.0.2.15/24 dev eth0 && ip route add default via 10.0.2.2 && "


def boot(directory, command, timeout, threads, network):
    """One boot: the command's status (None: it did not come to an end), and the last lines."""
    if network:
        command = JOIN + command
    encoded = base64.b64encode(command.encode()).decode()
    modules = modules_directory(os.path.abspath(directory) + "/kernel")
    unpacked = os.path.dirname(os.path.abspath(directory)) + "/emulator"
    program = emulator(unpacked) if os.path.exists(unpacked + "/ready") else ["qemu-system-x86_64"]
    qemu = subprocess.Popen(
        ["nice", "-n", str(NICE), *program, "-accel", "tcg,thread=" + threads, "-smp", "2", "-m", "2048", "-nographic", "-no-reboot",
         "-nodefaults", "-serial", "stdio", "-kernel", directory + "/vmlinux", "-initrd", directory + "/initrd",
         "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
         "-device", "virtio-9p-pci,fsdev=host,mount_tag=host", *(NETWORK if network else []), "-append",
         "console=ttyS0 quiet panic=-1 oops=panic mitigations=off tsc=reliable no_timer_check cryptomgr.notests "
         f"{clock_rate()}MODULES={modules or ''} CMD={encoded}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    watchdog = threading.Timer(timeout, qemu.kill)
    watchdog.start()
    status, last = None, collections.deque(maxlen=LAST_LINES)
    for line in qemu.stdout:
        # The firmware's escape sequences are not for a log.
        text = re.sub(r"\x1bc|\x1b\[[?\d;]*[A-Za-z]", "", line.decode(errors="replace").rstrip("\r\n"))
        # what the command printed may have no newline at its end
        text, end, number = text.rpartition(STATUS) if re.search(STATUS + r"\d+$", text) else (text, "", "")
        if end:
            status = int(number)
        if text or not end:
            last.append(text)
            print(text, flush=True)
    qemu.wait()
    watchdog.cancel()
    return status, last


def run(directory, command, timeout, threads, network):
    status, last = boot(directory, command, timeout, threads, network)
    if status is None:
        blame = "the emulator, not the kernel, failed" if EMULATOR_FAULT.search("\n".join(last)) else "crashed, or hung"
        print(f"UNSTEADY guest without a status ({blame}); it runs once more; its last lines:", *last, sep="\n", flush=True)
        status, last = boot(directory, command, timeout, "single", network)
    if status is None:
        print(f"guest.py: the guest ended without a status (crashed, or {timeout} s passed)")
        status = 99
    return status


def main():
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("fetch")
    verb.add_argument("series", choices=SUITES)
    verb.add_argument("directory")
    verb = verbs.add_parser("run")
    verb.add_argument("directory")
    verb.add_argument("--timeout", type=int, default=900)
    verb.add_argument("--threads", choices=["multi", "single"], default="multi")
    verb.add_argument("--network", action="store_true")
    verb.add_argument("command")
    args = parser.parse_args()
    if args.verb == "fetch":
        fetch(args.series, args.directory)
        return 0
    surroundings.settle()
    return run(args.directory, args.command, args.timeout, args.threads, args.network)


if __name__ == "__main__":
    sys.exit(main())
