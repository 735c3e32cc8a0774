/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { this->p = (int *)alloca(8); }
END { this->p = (int *)curthread; }
