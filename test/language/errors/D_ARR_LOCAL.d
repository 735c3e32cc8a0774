/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { this->a[1] = 2; }
