# Requests of a node program as programs make them today: connections that stay open and
# that are left, TLS, fetch().  All that happens to a connection has its descriptor and port.
# @anykernel: libusdt's own tests run on all of them
. "$suite/lib.sh"
. "$suite/node.sh"
write_node_program
start_node node program.js
trace_requests
