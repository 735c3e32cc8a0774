/* tracemem(): dumps, shorter with a dynamic size; 0 shows nothing, negative all. */
char bytes[20];
BEGIN { bytes[0] = 'a'; bytes[1] = 1; bytes[16] = 'z'; }
BEGIN { trace(bytes); printf("\n"); }
BEGIN { tracemem(&curthread->comm, 16); tracemem(&curthread->comm, 16, 3); tracemem(&curthread->comm, 16, 0); }
BEGIN { tracemem(&curthread->comm, 4, 100); tracemem(&curthread->comm, 4, -1); exit(0); }
