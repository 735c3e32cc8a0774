/* @flags: -xerrtags -e */
/* @status: 1 */
pid1:libc:-:4c { }
