/* Trap 18: __ in the name of a declared probe stands for -. */
/* @flags: -xerrtags -e */
/* @status: 1 */
provider pp { probe go__now(int); probe go__now(int); };
BEGIN { exit(0); }
