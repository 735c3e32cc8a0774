BEGIN
{
	struct list_head *start = &curthread->children, *l;

	for (l = start->next; l != start; l = l->next) {
		struct task_struct *t = (struct task_struct *)
		    ((uintptr_t)l - offsetof(struct task_struct, sibling));

		printf("%d %s\n", t->pid, t->comm);
	}
	do l = l->prev; while (l != start && l->prev);
}
