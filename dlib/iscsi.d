/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes between an iSCSI target and its initiators, as iscsi shows it.
 *
 * All messages begin with a header of 48 bytes, in which most fields have the
 * same place in all messages.  What a message does not have reads as what it
 * has in that place.  The provider passes the header, and as arg6 the
 * connection.
 */
#pragma D depends_on module iscsi_target_mod

typedef struct iscsiinfo {
	string ii_target;
	string ii_initiator;
	uint64_t ii_isid;
	uint16_t ii_tsih;
	string ii_transport;
	uint64_t ii_lun;
	uint32_t ii_itt;	/* initiator task tag */
	uint32_t ii_ttt;	/* target transfer tag */
	uint32_t ii_cmdsn;
	uint32_t ii_statsn;
	uint32_t ii_datasn;
	uint32_t ii_datalen;	/* bytes of data behind the header */
	uint32_t ii_flags;
} iscsiinfo_t;

typedef struct scsicmd {
	uint64_t ic_len;
	uint8_t *ic_cdb;
} scsicmd_t;

/* Other names for struct iscsit_conn and a header. */
struct _iscsi_conn { char opaque; };
struct _iscsi_header { char opaque; };
struct _iscsi_command { char opaque; };

inline struct iscsit_conn *_iscsi_conn_of[uintptr_t c] =
    (struct iscsit_conn *)c;
inline uint32_t _iscsi_word[uintptr_t h, int at] =
    ntohl(*(uint32_t *)(h + at));

translator conninfo_t < struct _iscsi_conn *C > {
	ci_local = _sockaddr_host[
	    (uintptr_t)&_iscsi_conn_of[(uintptr_t)C]->local_sockaddr];
	ci_remote = _sockaddr_host[
	    (uintptr_t)&_iscsi_conn_of[(uintptr_t)C]->login_sockaddr];
	ci_protocol = _sockaddr_protocol[
	    (uintptr_t)&_iscsi_conn_of[(uintptr_t)C]->login_sockaddr];
};

translator iscsiinfo_t < struct _iscsi_header *H > {
	ii_target = _iscsi_conn_of[arg6]->tpg == NULL ||
	    _iscsi_conn_of[arg6]->tpg->tpg_tiqn == NULL ? "<unknown>" :
	    stringof(_iscsi_conn_of[arg6]->tpg->tpg_tiqn->tiqn);
	ii_initiator = _iscsi_conn_of[arg6]->sess == NULL ||
	    _iscsi_conn_of[arg6]->sess->sess_ops == NULL ? "<unknown>" :
	    stringof(_iscsi_conn_of[arg6]->sess->sess_ops->InitiatorName);
	ii_isid = _iscsi_conn_of[arg6]->sess == NULL ? 0 :
	    ntohll(*(uint64_t *)&_iscsi_conn_of[arg6]->sess->isid) >> 16;
	ii_tsih = _iscsi_conn_of[arg6]->sess == NULL ? 0 :
	    _iscsi_conn_of[arg6]->sess->tsih;
	ii_transport = "tcp";
	ii_lun = ntohll(*(uint64_t *)((uintptr_t)H + 8));
	ii_itt = _iscsi_word[(uintptr_t)H, 16];
	ii_ttt = _iscsi_word[(uintptr_t)H, 20];
	ii_cmdsn = _iscsi_word[(uintptr_t)H, 24];
	ii_statsn = _iscsi_word[(uintptr_t)H, 24];
	ii_datasn = _iscsi_word[(uintptr_t)H, 36];
	ii_datalen = _iscsi_word[(uintptr_t)H, 4] & 0xffffff;
	ii_flags = *(uint8_t *)((uintptr_t)H + 1);
};

/* The command is the last 16 bytes of the header. */
translator scsicmd_t < struct _iscsi_command *H > {
	ic_len = 16;
	ic_cdb = (uint8_t *)((uintptr_t)H + 32);
};
