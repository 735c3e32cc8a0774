# SPDX-License-Identifier: Apache-2.0
# For tests of metrics: . "$suite/metrics.sh"
#
# metric is the command that lists them and makes their programs; observe traces some
# of them while a command runs, and says what reported nothing.
. "$suite/lib.sh"
live=$(dirname "$dtrace")/dtlive
metric() { "$live" "$@"; }
# observe [--pid N] [--may-be-silent FILE] 'COMMAND' METRIC ...
observe() { python3 "$suite/live/metrics/observe.py" "$dtrace" "$live" "$@"; }
