/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the system calls, of x86-64 and of i386.
 *
 * Most come from <asm/unistd_64.h> and <asm/unistd_32.h> of the machine that
 * builds (tools/syscalls.sh generates syscall_names.h from them).  The running
 * kernel may be newer: its additional system calls are listed here.  Numbers
 * never change, so a row can only be missing, never wrong.
 */
#include "arch/arch.h"

const struct arch_syscall arch_syscalls[] = {
#include "syscall_names.h"
	{ 0, 0, NULL },
};

/* Since Linux 6.2; a row that the header has too does no harm. */
const struct arch_syscall arch_syscalls_later[] = {
	{ 335, -1, "uretprobe" },
	{ 336, -1, "uprobe" },
	{ 451, 451, "cachestat" },
	{ 452, 452, "fchmodat2" },
	{ 453, 453, "map_shadow_stack" },
	{ 454, 454, "futex_wake" },
	{ 455, 455, "futex_wait" },
	{ 456, 456, "futex_requeue" },
	{ 457, 457, "statmount" },
	{ 458, 458, "listmount" },
	{ 459, 459, "lsm_get_self_attr" },
	{ 460, 460, "lsm_set_self_attr" },
	{ 461, 461, "lsm_list_modules" },
	{ 462, 462, "mseal" },
	{ 463, 463, "setxattrat" },
	{ 464, 464, "getxattrat" },
	{ 465, 465, "listxattrat" },
	{ 466, 466, "removexattrat" },
	{ 467, 467, "open_tree_attr" },
	{ 468, 468, "file_getattr" },
	{ 469, 469, "file_setattr" },
	{ 470, 470, "listns" },
	{ 0, 0, NULL },
};
