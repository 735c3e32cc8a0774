/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the system calls.
 *
 * Most come from <asm/unistd_64.h> and <asm/unistd_32.h> of the machine that
 * builds (tools/syscalls.sh makes syscall_names.h of them).  The kernel that
 * runs may be newer: what it has beyond that is listed here.  Numbers are for
 * ever, so a row is never wrong, only missing.
 */
#include <string.h>

#include "provider/provider.h"

const struct syscall_name syscall_names[] = {
#include "syscall_names.h"
	{ 0, 0, NULL },
};

/* Since Linux 6.2; a row that the header has too does no harm. */
const struct syscall_name syscall_later_names[] = {
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

/* Where the kernel's function is not called like the system call. */
static const struct {
	const char *name, *kernel_name;
} renamed[] = {
	{ "stat", "newstat" },
	{ "fstat", "newfstat" },
	{ "lstat", "newlstat" },
	{ "uname", "newuname" },
	{ "umount2", "umount" },
	{ "sendfile", "sendfile64" },
};

const char *syscall_kernel_name(const char *name)
{
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (!strcmp(renamed[i].name, name))
			return renamed[i].kernel_name;
	}
	return name;
}
