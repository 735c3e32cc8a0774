/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block devices and files as io and fds[] show them.
 *
 * A request is what the device gets: one or several bios that follow each
 * other on the disk.  io passes it as one word, the address of its struct
 * request.  Bit 0 says that it is a struct bio instead, of a device that has
 * no requests (device mapper, md, zram).  The uppermost byte, whose bits are
 * all set in addresses of the kernel, lacks those of the status with which the
 * request ended.
 *
 * The device is a partition or a whole disk; the name of either is its
 * device's kobject's.  Of the data io passes the first bio, from whose first
 * page the file is known.  Bit 0 of a request's flags tells writing from reading.
 */

typedef struct bufinfo {
	int b_flags;		/* B_READ, B_WRITE ... */
	size_t b_bcount;	/* bytes asked for */
	caddr_t b_addr;
	uint64_t b_lblkno;	/* 512-byte sector of the partition */
	uint64_t b_blkno;	/* 512-byte sector of the disk */
	size_t b_resid;
	size_t b_bufsize;
	caddr_t b_iodone;
	int b_error;
	dev_t b_edev;
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;	/* driver */
	string dev_statname;	/* disk or partition */
	string dev_pathname;
} devinfo_t;

typedef struct fileinfo {
	string fi_name;		/* last part of the path */
	string fi_dirname;
	string fi_pathname;
	offset_t fi_offset;
	string fi_fs;		/* type of file system */
	string fi_mount;
	int fi_oflags;		/* O_RDONLY ... */
} fileinfo_t;

inline int B_BUSY = 0x1;
#pragma D attributes Stable/Stable/Common B_BUSY
inline int B_DONE = 0x2;
#pragma D attributes Stable/Stable/Common B_DONE
inline int B_ERROR = 0x4;
#pragma D attributes Stable/Stable/Common B_ERROR
inline int B_PAGEIO = 0x10;
#pragma D attributes Stable/Stable/Common B_PAGEIO
inline int B_PHYS = 0x20;
#pragma D attributes Stable/Stable/Common B_PHYS
inline int B_READ = 0x40;
#pragma D attributes Stable/Stable/Common B_READ
inline int B_WRITE = 0x100;
#pragma D attributes Stable/Stable/Common B_WRITE
inline int B_ASYNC = 0x400;
#pragma D attributes Stable/Stable/Common B_ASYNC

inline struct request *_io_request[uintptr_t io] =
    (struct request *)(io | 0xff00000000000000);
inline struct bio *_io_bio[uintptr_t io] = (io & 1) == 0 ?
    _io_request[io]->bio : (struct bio *)((io | 0xff00000000000000) - 1);
inline uint64_t _io_sector[uintptr_t io] = (io & 1) == 0 ?
    _io_request[io]->__sector : _io_bio[io]->bi_iter.bi_sector;
inline uint64_t _io_size[uintptr_t io] = (io & 1) == 0 ?
    _io_request[io]->__data_len : _io_bio[io]->bi_iter.bi_size;
inline uint32_t _io_flags[uintptr_t io] = (io & 1) == 0 ?
    _io_request[io]->cmd_flags : _io_bio[io]->bi_opf;
inline int _io_status[uintptr_t io] = (io >> 56) ^ 0xff;

/* blk_status_t as an error number. */
inline int _io_error[int status] = status == 0 ? 0 :
    status == 1 ? EOPNOTSUPP : status == 2 ? ETIMEDOUT :
    status == 3 ? ENOSPC : status == 4 ? ENOLINK :
    status == 5 ? EREMOTEIO : status == 7 ? ENODATA :
    status == 8 ? EILSEQ : status == 9 ? ENOMEM : EIO;

/* What io passes of a bio, which may be NULL: only 0 and 1 have data. */
inline struct block_device *_bio_device[struct bio *b, struct request *r] =
    b != NULL ? b->bi_bdev : r->q->disk->part0;
inline struct bio *_bio_data[struct bio *b] = b != NULL &&
    (b->bi_opf & 0xff) < 2 && b->bi_io_vec != NULL ? b : NULL;

translator bufinfo_t < struct request *R > {
	b_flags = ((_io_flags[(uintptr_t)R] & 1) != 0 ? B_WRITE : B_READ) |
	    (_io_status[(uintptr_t)R] != 0 ? B_ERROR : 0);
	b_bcount = _io_size[(uintptr_t)R];
	b_addr = 0;
	b_lblkno = _io_sector[(uintptr_t)R] -
	    _bio_device[_io_bio[(uintptr_t)R], R]->bd_start_sect;
	b_blkno = _io_sector[(uintptr_t)R];
	b_resid = 0;
	b_bufsize = _io_size[(uintptr_t)R];
	b_iodone = _io_bio[(uintptr_t)R] == NULL ? NULL :
	    (caddr_t)_io_bio[(uintptr_t)R]->bi_end_io;
	b_error = _io_error[_io_status[(uintptr_t)R]];
	b_edev = _bio_device[_io_bio[(uintptr_t)R], R]->bd_dev;
};

/* The driver is the one of the disk's bus; without one the disk names it. */
translator devinfo_t < struct block_device *D > {
	dev_major = D->bd_dev >> 20;
	dev_minor = D->bd_dev & 0xfffff;
	dev_instance = D->bd_disk->minors == 0 ? D->bd_disk->first_minor :
	    D->bd_disk->first_minor / D->bd_disk->minors;
	dev_name = D->bd_disk->part0->bd_device.parent != NULL &&
	    D->bd_disk->part0->bd_device.parent->driver != NULL ?
	    stringof(D->bd_disk->part0->bd_device.parent->driver->name) :
	    strtok(D->bd_disk->disk_name, "0123456789");
	dev_statname = stringof(D->bd_device.kobj.name);
	dev_pathname = strjoin("/dev/", stringof(D->bd_device.kobj.name));
};

/*
 * Pages of the cache belong to a file, or to the file system itself: <none>.
 * What a process reads and writes past the cache is in pages of its own, which
 * have bit 0 of their mapping set and do not tell which file they are for.
 */
inline struct bio_vec *_bio_piece[struct bio *b] =
    b->bi_io_vec + b->bi_iter.bi_idx;
inline struct inode *_io_inode[struct bio *b] =
    b == NULL ? NULL : _folio_inode(_page_folio(_bio_piece[b]->bv_page));
inline string _io_no_file[struct bio *b] = b != NULL &&
    ((uintptr_t)_page_folio(_bio_piece[b]->bv_page)->mapping & 1) != 0 ?
    "<unknown>" : "<none>";

/* Where the kernel cuts a large request, the rest begins within a piece. */
translator fileinfo_t < struct bio *B > {
	fi_name = _io_inode[B] == NULL ? _io_no_file[B] :
	    basename(_inode_path(_io_inode[B]));
	fi_dirname = _io_inode[B] == NULL ? _io_no_file[B] :
	    dirname(_inode_path(_io_inode[B]));
	fi_pathname = _io_inode[B] == NULL ? _io_no_file[B] :
	    _inode_path(_io_inode[B]);
	fi_offset = _io_inode[B] == NULL ? 0 : _bio_piece[B]->bv_offset +
	    B->bi_iter.bi_bvec_done +
	    4096 * (_page_folio(_bio_piece[B]->bv_page)->index +
	    ((uintptr_t)_bio_piece[B]->bv_page -
	    (uintptr_t)_page_folio(_bio_piece[B]->bv_page)) /
	    sizeof (struct page));
	fi_fs = _io_inode[B] == NULL ? _io_no_file[B] :
	    stringof(_io_inode[B]->i_sb->s_type->name);
	fi_mount = _io_inode[B] == NULL ? _io_no_file[B] :
	    _inode_mount(_io_inode[B]);
	fi_oflags = 0;
};

/*
 * An open file.  Sockets, pipes and the like have no path: they are named after
 * their kind and number, as in /proc/PID/fd.
 */
translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" :
	    basename(d_path((struct path *)&F->f_path));
	fi_dirname = F == NULL ? "<none>" :
	    dirname(d_path((struct path *)&F->f_path));
	fi_pathname = F == NULL ? "<none>" :
	    d_path((struct path *)&F->f_path);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" :
	    stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" :
	    _mount_path((struct path *)&F->f_path);
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

/*
 * What fsinfo passes: the address of a struct file; with bit 0 set that of a
 * struct dentry, a name in a directory, which may not have a file yet.
 */
typedef struct _fsinfo {
	int _fsinfo_word;
} _fsinfo_t;

inline struct dentry *_fsinfo_dentry[uintptr_t x] = (struct dentry *)(x - 1);
inline struct inode *_fsinfo_parent[uintptr_t x] =
    _fsinfo_dentry[x]->d_parent->d_inode;
inline struct file *_fsinfo_file[uintptr_t x] = (struct file *)x;
inline struct dentry *_fsinfo_entry[uintptr_t x] = (x & 1) != 0 ?
    _fsinfo_dentry[x] : _fsinfo_file[x]->f_path.dentry;

translator fileinfo_t < _fsinfo_t *X > {
	fi_name = ((uintptr_t)X & 1) != 0 ?
	    stringof(_fsinfo_dentry[(uintptr_t)X]->d_name.name) :
	    basename(d_path((struct path *)&_fsinfo_file[(uintptr_t)X]->f_path));
	fi_dirname = ((uintptr_t)X & 1) != 0 ?
	    _inode_path(_fsinfo_parent[(uintptr_t)X]) :
	    dirname(d_path((struct path *)&_fsinfo_file[(uintptr_t)X]->f_path));
	fi_pathname = ((uintptr_t)X & 1) != 0 ?
	    cleanpath(strjoin(_inode_path(_fsinfo_parent[(uintptr_t)X]),
	    strjoin("/", stringof(_fsinfo_dentry[(uintptr_t)X]->d_name.name)))) :
	    d_path((struct path *)&_fsinfo_file[(uintptr_t)X]->f_path);
	fi_offset = ((uintptr_t)X & 1) != 0 ? 0 :
	    _fsinfo_file[(uintptr_t)X]->f_pos;
	fi_fs = ((uintptr_t)X & 1) != 0 ?
	    stringof(_fsinfo_dentry[(uintptr_t)X]->d_sb->s_type->name) :
	    stringof(_fsinfo_file[(uintptr_t)X]->f_inode->i_sb->s_type->name);
	fi_mount = ((uintptr_t)X & 1) != 0 ?
	    _inode_mount(_fsinfo_parent[(uintptr_t)X]) :
	    _mount_path((struct path *)&_fsinfo_file[(uintptr_t)X]->f_path);
	fi_oflags = ((uintptr_t)X & 1) != 0 ? 0 :
	    _fsinfo_file[(uintptr_t)X]->f_flags;
};

/* Open files of the current process, by number. */
inline fileinfo_t fds[int fd] = xlate <fileinfo_t> (getf(fd));
#pragma D attributes Stable/Stable/Common fds
