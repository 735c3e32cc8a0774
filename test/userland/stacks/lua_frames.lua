-- Knows its own stacks: at every place it writes what debug.getinfo() says, then
-- calls unlink().  Not a test by itself: lua.sh.
local expected = io.open(arg[1], "w")

-- The frames of the caller, innermost first, as dtrace shows them: `name` is what
-- this file calls each line where a function starts.
local names = {}
for line in io.lines(arg[0]) do
	names[#names + 1] = line:match("%-%- is (.*)$") or false
end
local function frames_from(level)
	local text = ""
	for at = level, math.huge do
		local info = debug.getinfo(at, "Sl")
		if not info then
			return text
		end
		if info.what ~= "C" then
			local file = info.short_src:match("[^/]*$")
			local name = info.what == "main" and "main chunk" or
				     file == "lua_frames.lua" and names[info.linedefined] or
				     file == "text" and "loaded" or
				     string.format("function <%s:%d>", file, info.linedefined)
			text = text .. string.format("%s(%s:%d)\n", name, file, info.currentline)
		end
	end
end

local outer -- frames of who has resumed the coroutine
local function here()
	local text = frames_from(3)
	for i = #(outer or {}), 1, -1 do
		text = text .. outer[i]
	end
	expected:write(text, "--\n")
	expected:flush()
	return "/nonexistent"
end

local function recurse(depth) -- is recurse
	if depth > 0 then
		local result = recurse(depth - 1)
		return result
	end
	local done = os.remove(here())
	return done
end

local function resume(co) -- is resume
	local saved = outer
	outer = { table.unpack(saved or {}) }
	outer[#outer + 1] = frames_from(2); local good = coroutine.resume(co)
	outer = saved
	return good
end

local Shop = { inner = {} }
function Shop.fixed() -- is Shop.fixed
	local done = os.remove(here())
	return done
end
function Shop:method() -- is Shop.method
	local done = self.fixed()
	recurse(1)
	return done
end
Shop.closure = function() -- is Shop.closure
	local done = os.remove(here())
	return done
end
local listed = {
	field = function() -- is field
		local done = recurse(0)
		return done
	end,
}
function everywhere() -- is everywhere
	local done = Shop:method()
	return done
end
setmetatable(Shop, {
	__index = function(_, key) -- is __index
		recurse(1)
		return key
	end,
	__add = function() -- is __add
		recurse(0)
		return 1
	end,
	__close = function() -- is __close
		recurse(0)
	end,
})

local function tail(depth) -- is tail
	if depth == 0 then
		recurse(0)
		return 1
	end
	return tail(depth - 1)
end

local function places() -- is places
	recurse(0)
	everywhere()
	Shop.closure()
	listed.field()
	local _ = Shop.absent
	_ = Shop + 1
	do
		local closed <close> = Shop
	end
	tail(3)
	string.gsub("axa", "a", function() recurse(0) end)
	table.sort({ 3, 1, 2 }, function(a, b)
		recurse(1)
		return a < b
	end)
	pcall(everywhere)
	pcall(pcall, function()
		recurse(1)
		error("x")
	end)
	xpcall(error, function() recurse(0) end)
	local co = coroutine.create(function()
		recurse(0)
		coroutine.yield()
		pcall(function()
			recurse(1)
			coroutine.yield()
			recurse(2)
		end)
		local inner = coroutine.create(recurse)
		recurse(0)
		local co = coroutine.create(function()
			everywhere()
			coroutine.yield()
			everywhere()
		end)
		resume(co)
		resume(co)
		return inner
	end)
	while coroutine.status(co) ~= "dead" do
		resume(co)
	end
	for value in (function() recurse(1) end) do
		recurse(value)
	end
	chunk = load("local function loaded(f) f(1) end\n\nloaded(...)", "=text")
	chunk(recurse)
	recurse(50)
end

if arg[2] then
	-- traced when it has run for a while
	print("ready")
	io.stdout:flush()
	io.read("l")
end
places()
recurse(1)
os.execute("sleep 0.5") -- names are read from the process
