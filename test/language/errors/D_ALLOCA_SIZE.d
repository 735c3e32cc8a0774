/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { this->p = alloca(1048576); }
