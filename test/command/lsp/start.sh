# dtrace --lsp finds the server where it is built and where it is installed; where it is
# not, it says what to install.  It needs no privileges, and dtrace no JSON library.
# @anykernel: nothing is enabled
build=$(dirname "$dtrace")
server() {
	dtrace=$1 python3 - <<'PYTHON'
import os, sys
sys.path.insert(0, os.environ["test"])
from client import Client, show
with Client(command=os.environ.get("command", "").split() or None) as client:
    client.open("syscall::read:entry { trace(args[0]); }\nnosuch:::probe { trace(1); }\nBEGIN { trace(nosuch); }\n")
    show(client.diagnostics())
PYTHON
}
chmod 755 .
mkdir -p usr/sbin usr/libexec/dtrace
cp "$build/dtrace" usr/sbin
usr/sbin/dtrace --lsp; echo "status $?"
usr/sbin/dtrace --lsp now; echo "status $?"
cp "$build/dtrace-lsp" usr/libexec/dtrace
server usr/sbin/dtrace
ln -s sbin/dtrace usr/link
command='setpriv --reuid 65534 --regid 65534 --clear-groups usr/link --lsp --stdio' server usr/link
ldd usr/sbin/dtrace | grep -c jansson || :
