/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that the kernel's NFS server works on, as nfsv3 and nfsv4 show them.
 *
 * All that is known of a call hangs on its struct svc_rqst: the two ends of
 * the connection, the caller's credentials, the number of the call.  The file
 * is the one of the handle that the call is about; a handle knows its dentry
 * once the server has looked at it.
 */
#pragma D depends_on module nfsd

typedef struct nfsv3opinfo {
	string noi_curpath;
	struct svc_cred *noi_cred;
	uint64_t noi_xid;
} nfsv3opinfo_t;

typedef struct nfsv4opinfo {
	string noi_curpath;
	struct svc_cred *noi_cred;
	uint64_t noi_xid;
} nfsv4opinfo_t;

/* Other names for struct svc_rqst. */
struct _nfs_call { char opaque; };
struct _nfs3_start { char opaque; };
struct _nfs3_done { char opaque; };
struct _nfs4_call { char opaque; };

inline struct svc_rqst *_nfs_rqst[uintptr_t c] = (struct svc_rqst *)c;
inline string _nfs_path[struct dentry *d] = d == NULL ? "<unknown>" :
    d->d_inode != NULL ? _inode_path(d->d_inode) :
    strjoin(strjoin(_inode_path(d->d_parent->d_inode), "/"),
    stringof(d->d_name.name));

translator conninfo_t < struct _nfs_call *C > {
	ci_local = _sockaddr_host[
	    (uintptr_t)&_nfs_rqst[(uintptr_t)C]->rq_daddr];
	ci_remote = _sockaddr_host[
	    (uintptr_t)&_nfs_rqst[(uintptr_t)C]->rq_addr];
	ci_protocol = _sockaddr_protocol[
	    (uintptr_t)&_nfs_rqst[(uintptr_t)C]->rq_addr];
};

/* Arguments begin with the handle, results with a status and the handle. */
translator nfsv3opinfo_t < struct _nfs3_start *C > {
	noi_curpath = _nfs_path[((struct nfsd3_readargs *)
	    _nfs_rqst[(uintptr_t)C]->rq_argp)->fh.fh_dentry];
	noi_cred = &_nfs_rqst[(uintptr_t)C]->rq_cred;
	noi_xid = ntohl(_nfs_rqst[(uintptr_t)C]->rq_xid);
};

translator nfsv3opinfo_t < struct _nfs3_done *C > {
	noi_curpath = _nfs_path[((struct nfsd3_attrstat *)
	    _nfs_rqst[(uintptr_t)C]->rq_resp)->fh.fh_dentry];
	noi_cred = &_nfs_rqst[(uintptr_t)C]->rq_cred;
	noi_xid = ntohl(_nfs_rqst[(uintptr_t)C]->rq_xid);
};

translator nfsv4opinfo_t < struct _nfs4_call *C > {
	noi_curpath = _nfs_path[((struct nfsd4_compoundres *)
	    _nfs_rqst[(uintptr_t)C]->rq_resp)->cstate.current_fh.fh_dentry];
	noi_cred = &_nfs_rqst[(uintptr_t)C]->rq_cred;
	noi_xid = ntohl(_nfs_rqst[(uintptr_t)C]->rq_xid);
};
