/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of other systems, and what Linux has in their place.
 *
 * A script from another system says (vnode_t *)arg0.  Without the type the
 * parser sees a multiplication and reports the parenthesis; the hint says which
 * word was meant as a type, and what to use here.
 */
#include "lang/parser.h"

static const struct {
	const char *name, *here;
} counterparts[] = {
	{ "as_t", "struct mm_struct" },
	{ "buf_t", "struct bio or struct request" },
	{ "conn_t", "struct sock" },
	{ "cpu_t", "cpuinfo_t" },
	{ "cred_t", "struct cred" },
	{ "dev_info_t", "struct device" },
	{ "file_t", "struct file" },
	{ "ill_t", "struct net_device" },
	{ "ire_t", "struct rtable" },
	{ "kcondvar_t", "struct wait_queue_head" },
	{ "klwp_t", "struct task_struct" },
	{ "kmutex_t", "struct mutex" },
	{ "krwlock_t", "struct rw_semaphore" },
	{ "kthread_t", "struct task_struct" },
	{ "mblk_t", "struct sk_buff" },
	{ "page_t", "struct page or struct folio" },
	{ "proc_t", "struct task_struct" },
	{ "seg_t", "struct vm_area_struct" },
	{ "taskq_t", "struct workqueue_struct" },
	{ "tcp_t", "struct tcp_sock" },
	{ "timestruc_t", "struct timespec64" },
	{ "udp_t", "struct udp_sock" },
	{ "vfs_t", "struct super_block" },
	{ "vnode_t", "struct inode or struct file" },
	{ "znode_t", "struct inode" },
};

bool hint_counterpart(struct language *language, struct str name)
{
	for (size_t i = 0; i < sizeof(counterparts) / sizeof(*counterparts);
	     i++) {
		if (!str_is(name, counterparts[i].name))
			continue;
		diag_hint(&language->diag, "unknown type %s; Linux has %s",
			  counterparts[i].name, counterparts[i].here);
		return true;
	}
	return false;
}

bool hint_unknown_type(struct language *language, struct str name)
{
	const struct str ending = STR("_t");

	if (hint_counterpart(language, name))
		return true;
	if (name.n <= ending.n ||
	    memcmp(name.p + name.n - ending.n, ending.p, ending.n) != 0)
		return false;
	diag_hint(&language->diag, "unknown type %.*s", (int)name.n, name.p);
	return true;
}

static size_t skip_back(const char *text, size_t at, const char *bytes)
{
	while (at && strchr(bytes, text[at - 1]))
		at--;
	return at;
}

/* `(word *` before a `)`, or `(word)` before something else: a cast. */
bool hint_unknown_cast(struct lexer *lexer, const struct token *token)
{
	const char *text = token->place.source->text;
	size_t at = skip_back(text, token->place.offset, " \t");

	if (token->kind != TOKEN_RIGHT_PAREN) {
		if (!at || text[at - 1] != ')')
			return false;
		at--;
	}
	size_t end = skip_back(text, at, " \t*"), start = end;

	while (start && is_word_byte(text[start - 1]))
		start--;
	size_t open = skip_back(text, start, " \t");

	if (start == end || !open || text[open - 1] != '(')
		return false;
	return hint_unknown_type(lexer->language,
				 (struct str){ text + start, end - start });
}
