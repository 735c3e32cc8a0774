/* print() of a pointer follows it: a C initialiser without what is zero. */
/* @filter: pointer */
/* @needs: btf */
BEGIN { print(&curthread->comm); print(&curthread->se.load); print(&curthread->static_prio); exit(0); }
