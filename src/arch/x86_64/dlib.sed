# SPDX-License-Identifier: Apache-2.0
# Words that D libraries (dlib/) leave to the machine.
s/@PROCESSOR_TYPE@/x86_64/
s/@FPU_TYPES@/i387 compatible/
# index in uregs[] of the number of the system call that a thread is in
s/@SYSCALL_NUMBER@/15/
