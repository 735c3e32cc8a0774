# Integers are 64 bits until they are printed: a program's file offsets, each
# beyond 2^31, are summed up in every kind of variable and by every aggregating
# function, and must be what the program itself knows.  The variables start as
# a small constant, as old scripts have it.
. "$suite/lib.sh"
cat > seek.py <<'END'
import os
file = os.open("data", os.O_RDWR | os.O_CREAT)
for i in range(1, 11):
    os.lseek(file, i * 3000000001, os.SEEK_SET)
END
"$dtrace" -qn '
	struct sums { int64_t wide; uint64_t total; };
	struct sums s;
	int64_t fixed[2];
	int declared;
	self int mine;
	uint64_t table[string];

	BEGIN { global = 0; declared = 0; t["n"] = 0; }
	syscall::lseek:entry /pid == $target && arg1 >= 3000000001/
	{
		self->n = 0;
		self->n += arg1;
		self->sum = self->sum ? self->sum : 0;
		self->sum += arg1;
		self->mine += arg1;
		this->sum = 0;
		this->sum += arg1;
		this->sum *= 2;
		global += arg1;
		declared += arg1;
		t["n"] += arg1;
		t[execname != "" ? "m" : ""] = 0 + arg1;
		table["n"] += this->sum / 2;
		s.wide += arg1;
		s.total += this->sum;
		fixed[1] += arg1;
		calls++;
		n = 3;
		@sum["sum"] = sum(n * 1000000000);
		@sum["of a global"] = sum(global);
		@min["min"] = min(self->n);
		@max["max"] = max(this->sum);
		@avg["avg"] = avg(this->sum);
		@count[self->n] = count();
		@stddev["stddev"] = stddev(n * 1000000000 * calls);
		@quantize["quantize"] = quantize(this->sum);
		@lquantize["lquantize"] = lquantize(this->sum / 1000000000, 0, 100, 10);
		@llquantize["llquantize"] = llquantize(self->n, 10, 9, 11, 10);
		last = self->sum;
		mine = self->mine;
	}
	END
	{
		printf("%d global\n%d self\n%d self, declared, as 64 bits\n%d array\n",
		    global, last, 0LL + mine, t["n"]);
		printf("%d declared array\n%d struct\n%d struct\n%d fixed array\n",
		    table["n"], s.wide, s.total, fixed[1]);
		printf("%d last element\n%d declared as 64 bits\n", t["m"], declared + 0LL);
		printf("%d the low 32 bits of it\n", declared);
		printa("%s %@d\n", @sum);
		printa("%s %@d\n", @min);
		printa("%s %@d\n", @max);
		printa("%s %@d\n", @avg);
		printa("%s %@d\n", @stddev);
		printa("%d %@d\n", @count);
		printa(@quantize);
		printa(@lquantize);
		printa(@llquantize);
	}' -c "/usr/bin/python3 seek.py"
python3 - <<'END'
import math
values = [i * 3000000001 for i in range(1, 11)]
print("truth", sum(values), 2 * sum(values), sum(sum(values[:i + 1]) for i in range(10)))
steps = [3000000000 * i for i in range(1, 11)]
mean = sum(steps) // 10
print("stddev", math.isqrt(sum(x * x for x in steps) // 10 - mean * mean))
END
