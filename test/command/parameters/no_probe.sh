# A tool (a script with a usage) whose probe is not there says so in one line, without its text,
# which its users have not written; one that needs a process says how to give it.
# @anykernel: no probe fires
printf '#pragma D usage "Show."\nproc:::exec-succes { }\n' > tool.d
"$dtrace" -s tool.d 2>&1
echo "a script without a usage"
printf 'proc:::exec-succes { }\n' > script.d
"$dtrace" -s script.d 2>&1
echo "no process"
printf '#pragma D usage "Show."\npid$target:libc:malloc:entry { }\n' > process.d
"$dtrace" -s process.d 2>&1 | tail -1
