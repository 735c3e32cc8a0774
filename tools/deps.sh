#!/bin/sh
# Install Debian packages that are missing, and say which.  Idempotent: with
# everything there it only prints a line.  Calls sudo when it is not root.
#
#	deps.sh "what for" package...
set -eu
what=$1
shift
missing=
for package in "$@"; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
	echo "$what: everything is installed"
	exit 0
fi
echo "$what: installing$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
# The lists may be absent or old: try, refresh, try again.
apt="$sudo apt-get -oAcquire::Retries=5 -oDPkg::Lock::Timeout=300 -qq"
# shellcheck disable=SC2086
$apt install -y --no-install-recommends $missing >/dev/null 2>&1 || {
	$apt update
	$apt install -y --no-install-recommends $missing
}
