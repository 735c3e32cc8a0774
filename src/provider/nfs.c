/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nfsv3, nfsv4: requests to the kernel's NFS server.
 *
 * op-NAME-start and op-NAME-done, each with the connection, the call (path,
 * credentials, number) and the operation's arguments or results as the server
 * keeps them.  nfsv4 also has compounds, which consist of operations.
 *
 * 1. Every operation is a function of the module nfsd, so the probes exist if
 *    that is loaded and functions can be traced.
 * 2. A server's thread works on one call at a time: what the done probes need
 *    is saved for the thread.
 * 3. At a start probe the path is known only if an earlier operation of the
 *    same compound used the file (dlib/nfs.d).
 */
#include "provider/stable.h"

#define MODULE "nfsd"
#define ENTRY(function) "fbt:" MODULE ":" function ":entry"
#define REMEMBER(function) \
	{ ENTRY(function), .also = true, \
	  .when = "(self->_nfs_call = (uintptr_t)args[0]) == 2" }
#define CALLER                                       \
	{                                            \
		"struct _nfs_call *", "conninfo_t *" \
	}

/* ------------------------------------------------------------------ nfsv3 */

#define OP3(op, given, result) \
	{ "op-" op "-start", \
	  { CALLER, { "struct _nfs3_start *", "nfsv3opinfo_t *" }, { given " *" } }, \
	  STABLE_SOURCES({ ENTRY("nfsd3_proc_" op), \
		.args = { "args[0]", "args[0]", "args[0]->rq_argp" } }) }, \
	{ "op-" op "-done", \
	  { CALLER, { "struct _nfs3_done *", "nfsv3opinfo_t *" }, { result " *" } }, \
	  STABLE_SOURCES(REMEMBER("nfsd3_proc_" op), \
		{ "fbt:" MODULE ":nfsd3_proc_" op ":return", .also = true, \
		  .when = "self->_nfs_call != 0", \
		  .args = { "self->_nfs_call", "self->_nfs_call", \
			    "_nfs_rqst[self->_nfs_call]->rq_resp" } }) }

static const struct stable_probe version3[] = {
	OP3("null", "void", "void"),
	OP3("getattr", "struct nfsd_fhandle", "struct nfsd3_attrstat"),
	OP3("setattr", "struct nfsd3_sattrargs", "struct nfsd3_attrstat"),
	OP3("lookup", "struct nfsd3_diropargs", "struct nfsd3_diropres"),
	OP3("access", "struct nfsd3_accessargs", "struct nfsd3_accessres"),
	OP3("readlink", "struct nfsd_fhandle", "struct nfsd3_readlinkres"),
	OP3("read", "struct nfsd3_readargs", "struct nfsd3_readres"),
	OP3("write", "struct nfsd3_writeargs", "struct nfsd3_writeres"),
	OP3("create", "struct nfsd3_createargs", "struct nfsd3_diropres"),
	OP3("mkdir", "struct nfsd3_createargs", "struct nfsd3_diropres"),
	OP3("symlink", "struct nfsd3_symlinkargs", "struct nfsd3_diropres"),
	OP3("mknod", "struct nfsd3_mknodargs", "struct nfsd3_diropres"),
	OP3("remove", "struct nfsd3_diropargs", "struct nfsd3_attrstat"),
	OP3("rmdir", "struct nfsd3_diropargs", "struct nfsd3_attrstat"),
	OP3("rename", "struct nfsd3_renameargs", "struct nfsd3_renameres"),
	OP3("link", "struct nfsd3_linkargs", "struct nfsd3_linkres"),
	OP3("readdir", "struct nfsd3_readdirargs", "struct nfsd3_readdirres"),
	OP3("readdirplus", "struct nfsd3_readdirargs", "struct nfsd3_readdirres"),
	OP3("fsstat", "struct nfsd_fhandle", "struct nfsd3_fsstatres"),
	OP3("fsinfo", "struct nfsd_fhandle", "struct nfsd3_fsinfores"),
	OP3("pathconf", "struct nfsd_fhandle", "struct nfsd3_pathconfres"),
	OP3("commit", "struct nfsd3_commitargs", "struct nfsd3_commitres"),
	{ .name = NULL },
};

static int nfsv3_list(struct probe_registry *registry,
		      const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &nfsv3_provider, version3, desc);
}

const struct provider nfsv3_provider = {
	.name = "nfsv3",
	.about = "operations of the NFS server, version 3",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = nfsv3_list,
	.nids = sizeof(version3) / sizeof(version3[0]) - 1,
	STABLE_METHODS,
};

/* ------------------------------------------------------------------ nfsv4 */

#define CALL4                                            \
	{                                                \
		"struct _nfs4_call *", "nfsv4opinfo_t *" \
	}
#define OP4(op, function, type, given, result) \
	{ op "-start", { CALLER, CALL4, { type } }, \
	  STABLE_SOURCES({ ENTRY(function), \
			   .args = { "args[0]", "args[0]", given } }) }, \
	{ op "-done", { CALLER, CALL4, { type }, { "uint32_t" } }, \
	  STABLE_SOURCES( \
		{ ENTRY(function), .also = true, \
		  .when = "(self->_nfs_op = (uintptr_t)" given ") == 2 || " \
			  "(self->_nfs_call = (uintptr_t)args[0]) == 2" }, \
		{ "fbt:" MODULE ":" function ":return", .also = true, \
		  .when = "self->_nfs_call != 0", \
		  .args = { "self->_nfs_call", "self->_nfs_call", \
			    result, "ntohl((uint32_t)args[1])" } }) }
#define OP(op, function) \
	OP4("op-" op, "nfsd4_" function, "union nfsd4_op_u *", "args[2]", \
	    "self->_nfs_op")

static const struct stable_probe version4[] = {
	OP4("null", "nfsd4_proc_null", "void *", "args[0]->rq_argp",
	    "_nfs_rqst[self->_nfs_call]->rq_resp"),
	OP4("compound", "nfsd4_proc_compound", "void *", "args[0]->rq_argp",
	    "_nfs_rqst[self->_nfs_call]->rq_resp"),
	OP("access", "access"),
	OP("close", "close"),
	OP("commit", "commit"),
	OP("create", "create"),
	OP("delegreturn", "delegreturn"),
	OP("getattr", "getattr"),
	OP("getfh", "getfh"),
	OP("link", "link"),
	OP("lock", "lock"),
	OP("lockt", "lockt"),
	OP("locku", "locku"),
	OP("lookup", "lookup"),
	OP("lookupp", "lookupp"),
	OP("nverify", "nverify"),
	OP("open", "open"),
	OP("open-confirm", "open_confirm"),
	OP("open-downgrade", "open_downgrade"),
	OP("putfh", "putfh"),
	OP("putrootfh", "putrootfh"),
	OP("read", "read"),
	OP("readdir", "readdir"),
	OP("readlink", "readlink"),
	OP("release-lockowner", "release_lockowner"),
	OP("remove", "remove"),
	OP("rename", "rename"),
	OP("renew", "renew"),
	OP("restorefh", "restorefh"),
	OP("savefh", "savefh"),
	OP("secinfo", "secinfo"),
	OP("sequence", "sequence"),
	OP("setattr", "setattr"),
	OP("setclientid", "setclientid"),
	OP("setclientid-confirm", "setclientid_confirm"),
	OP("verify", "verify"),
	OP("write", "write"),
	{ .name = NULL },
};

static int nfsv4_list(struct probe_registry *registry,
		      const struct probe_desc *desc, struct probe_error *error)
{
	(void)error;
	return stable_list(registry, &nfsv4_provider, version4, desc);
}

const struct provider nfsv4_provider = {
	.name = "nfsv4",
	.about = "compounds and operations of the NFS server, version 4",
	.attrs = STABLE_ATTRS(CLASS_ISA),
	.list = nfsv4_list,
	.nids = sizeof(version4) / sizeof(version4[0]) - 1,
	STABLE_METHODS,
};
