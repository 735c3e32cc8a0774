# A test that passes although nothing is traced is found, whatever the idle dtrace does,
# unless idle.txt has the reason.
# @anykernel: nothing here depends on the kernel
mkdir -p tree/test/group/chapter tree/src/api
cp "$suite"/{run,idle,surroundings}.py tree/test
cp "$suite/../src/api/libdtrace.map" tree/src/api
cd tree/test/group/chapter || exit 1
echo 'BEGIN { printf("good\n"); exit(0); }' > good.d
echo good > good.out
echo '"$dtrace" -n BEGIN; echo done' > blind.sh
echo 'grep -q wanted nosuchfile; "$dtrace" -n BEGIN > /dev/null || exit 1; echo done' > status.sh
echo '"$dtrace" -n BEGIN -c "echo done"' > command.sh
echo '. "$suite/lib.sh"; skip "nothing here"' > skips.sh
echo done | tee blind.out status.out > command.out
touch good.err
echo 'grep: nosuchfile: No such file or directory' > status.err
cp "$suite/lib.sh" "$OLDPWD/tree/test"
cd "$OLDPWD"
attempt() {
	echo "-- $1"
	cat > tree/test/idle.txt
	tree/test/idle.py --jobs 1 | grep -v '^ '
	echo "status ${PIPESTATUS[0]}"
}
attempt "none is known" < /dev/null
printf 'chapter/%s.sh: a reason\n' blind status command | attempt "all are known"
printf 'chapter/%s: a reason\n' good.d gone.sh | attempt "known without need"
echo 'chapter/blind.sh:' | attempt "no reason" 2>&1 | sed "s,$PWD,{here},"
