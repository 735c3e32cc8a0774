# Who holds a lock: in the middle of exec() the process has two of its own.
locks='this->m = &curthread->signal->cred_guard_mutex; this->s = &curthread->signal->exec_update_lock;
	printf("mutex: %d %d, adaptive %d, spin %d\n", mutex_owned(this->m), mutex_owner(this->m) == curthread,
	    mutex_type_adaptive(this->m), mutex_type_spin(this->m));
	printf("semaphore: writer %d, write %d, read %d\n", rw_iswriter(this->s), rw_write_held(this->s), rw_read_held(this->s));'
"$dtrace" -qn "rawtp:task::task_rename /pid == \$target && !n++/ { printf(\"in exec\n\"); $locks exit(0); }" -c "env true"
"$dtrace" -qn "BEGIN { printf(\"free\n\"); $locks exit(0); }"
"$dtrace" -qn 'extern rwlock_t *lock; BEGIN { printf("%d\n", rw_write_held(lock)); exit(0); } ERROR { printf("no lock, fault %d\n", arg4); exit(0); }' 2> /dev/null
"$dtrace" -x errtags -en 'BEGIN { trace(rw_iswriter(curthread)); }' 2>&1 | head -3
