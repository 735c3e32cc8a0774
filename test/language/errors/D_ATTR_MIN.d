/* @flags: -xerrtags -e -x amin=Stable/Stable/Common */
/* @status: 1 */
BEGIN { trace(curthread); }
