/* @flags: -xerrtags -e */
/* @status: 1 */
syscall::read:entry { trace(args[7]); }
