# Two programs have a parameter in different ways.
# @anykernel: nothing is loaded
echo '#pragma D parameter min time = 10ms "time"' > one.d
echo '#pragma D parameter min time = 20ms "time"' > two.d
"$dtrace" -xerrtags -es one.d -s two.d
echo "status $?"
