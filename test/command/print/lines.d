/* The same with lines of records. */
/* @filter: pointer */
/* @flags: */
/* @needs: btf */
BEGIN { print(&curthread->static_prio); exit(0); }
