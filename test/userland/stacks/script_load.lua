-- Is busy until the file of the argument is there: see script_profile.sh.
local Counter = {}
Counter.__index = Counter
function Counter.new(n) return setmetatable({ n = n }, Counter) end
function Counter:add(n) self.n = self.n + n; return self end
Counter.__add = function(a, b) return Counter.new(a.n + b.n) end

local function fibonacci(n)
	if n < 2 then return n end
	return fibonacci(n - 1) + fibonacci(n - 2)
end

local function words()
	local count = {}
	local text = string.rep("the quick brown fox jumps over the lazy dog ", 20)
	for word in text:gmatch("%a+") do
		count[word] = (count[word] or 0) + 1
	end
	return text:gsub("%a+", function(word) return word:upper() end)
end

local function sorts()
	local list = {}
	for i = 1, 200 do list[i] = { key = i * 7919 % 101 } end
	table.sort(list, function(a, b) return a.key < b.key end)
	return list
end

local function generate(n)
	return coroutine.wrap(function()
		for i = 1, n do
			pcall(function() coroutine.yield(fibonacci(5)) end)
		end
	end)
end

local function counts()
	local counter = Counter.new(0)
	for i = 1, 100 do counter = (counter + Counter.new(i)):add(1) end
	return counter
end

local function work()
	fibonacci(14)
	words()
	sorts()
	counts()
	local sum = 0
	for value in generate(20) do sum = sum + value end
	pcall(error, {})
	load("local t = {} for i = 1, 100 do t[i] = i end return t")()
	return sum
end

print("ready")
io.stdout:flush()
local stop = arg[1]
repeat
	work()
until io.open(stop)
