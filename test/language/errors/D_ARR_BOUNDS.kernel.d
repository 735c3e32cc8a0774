/* @flags: -xerrtags -e */
/* @status: 1 */
/* a constant index beyond an array of the kernel's */
BEGIN { trace(curthread->comm[16]); }
