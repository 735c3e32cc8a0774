/* @flags: -xerrtags -e */
/* @status: 1 */
pid$target::malloc:entry { trace(arg0); }
