/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iscsi: messages between the kernel's iSCSI target and its initiators.
 *
 * There is a probe for every kind of message: args[0] is the connection,
 * args[1] the message's header, and scsi-command has the command as args[2].
 *
 * 1. Received messages are traced where the target begins to process them.
 *    Sent messages are traced where their headers have just been built: when
 *    the function that builds them returns.  Its arguments are no longer
 *    available there, so the entry saves them for the thread.
 * 2. The probes exist if the module is loaded and functions can be traced.
 *    Asynchronous messages and data sent by RDMA have no such place.
 */
#include "provider/stable.h"

#define MODULE "iscsi_target_mod"
#define ENTRY(function) "fbt:" MODULE ":" function ":entry"

#define MESSAGE { "struct _iscsi_conn *", "conninfo_t *" }, \
		{ "struct _iscsi_header *", "iscsiinfo_t *" }
/* The seventh is not for users: dlib/iscsi.d. */
#define PASSED(conn, header)                                 \
	{                                                    \
		conn, header, header, NULL, NULL, NULL, conn \
	}

#define CAME(name, function, conn, header) \
	{ name, { MESSAGE }, \
	  STABLE_SOURCES({ ENTRY(function), .args = PASSED(conn, header) }) }
#define SENT(name, function, conn, header) \
	{ name, { MESSAGE }, STABLE_SOURCES( \
		{ ENTRY(function), .also = true, \
		  .when = "(self->_iscsi_conn = (uintptr_t)" conn ") == 2 || " \
			  "(self->_iscsi_header = (uintptr_t)" header ") == 2" }, \
		{ "fbt:" MODULE ":" function ":return", .also = true, \
		  .when = "self->_iscsi_header != 0", \
		  .args = PASSED("self->_iscsi_conn", "self->_iscsi_header") }) }

static const struct stable_probe probes[] = {
	/* the initiator's message is in the login's request when it is read */
	SENT("login-command", "iscsit_get_login_rx", "args[0]", "args[1]->req"),
	CAME("login-response", "iscsit_put_login_tx", "args[0]", "args[1]->rsp"),
	{ "scsi-command",
	  { MESSAGE, { "struct _iscsi_command *", "scsicmd_t *" } },
	  STABLE_SOURCES({ ENTRY("iscsit_setup_scsi_cmd"),
			   .args = PASSED("args[0]", "args[2]") }) },
	SENT("scsi-response", "iscsit_build_rsp_pdu", "args[1]", "args[3]"),
	CAME("data-receive", "iscsit_check_dataout_hdr", "args[0]", "args[1]"),
	SENT("data-send", "iscsit_build_datain_pdu", "args[1]", "args[3]"),
	CAME("nop-receive", "iscsit_setup_nop_out", "args[0]", "args[2]"),
	SENT("nop-send", "iscsit_build_nopin_rsp", "args[1]", "args[2]"),
	CAME("logout-command", "iscsit_handle_logout_cmd", "args[0]", "args[2]"),
	SENT("logout-response", "iscsit_build_logout_rsp", "args[1]", "args[2]"),
	CAME("task-command", "iscsit_handle_task_mgt_cmd", "args[0]", "args[2]"),
	SENT("task-response", "iscsit_build_task_mgt_rsp", "args[1]", "args[2]"),
	CAME("text-command", "iscsit_setup_text_cmd", "args[0]", "args[2]"),
	SENT("text-response", "iscsit_build_text_rsp", "args[1]", "args[2]"),
	{ .name = NULL },
};

static int iscsi_list(struct probe_registry *registry,
		      const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &iscsi_provider, probes, desc);
}

const struct provider iscsi_provider = {
	.name = "iscsi",
	.about = "messages of the iSCSI target",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = iscsi_list,
	.nids = sizeof(probes) / sizeof(probes[0]) - 1,
	STABLE_METHODS,
};
