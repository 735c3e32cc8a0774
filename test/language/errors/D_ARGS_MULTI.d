/* @flags: -xerrtags -e */
/* @status: 1 */
syscall::read:, syscall::open:entry { trace(args[0]); }
