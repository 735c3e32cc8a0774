/* -F: calls as a tree, and setopt() in between. */
#pragma D option flowindent
syscall::write:entry, syscall::write:return /pid == $target/ { trace(arg0); }
syscall::write:return /pid == $target && n++ == 3/ { setopt("quiet"); printf("quiet"); setopt("quiet", "no"); }
