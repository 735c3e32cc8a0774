/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { self->vn = (vnode_t *)arg0; }
