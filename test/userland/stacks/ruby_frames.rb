# Knows its own stacks: at every place it writes what the interpreter says, then
# calls getppid().  Ends when its standard input does, so that it can be read as long
# as it takes.  Not a test by itself: ruby.sh.
require "fiddle"
require "zlib"

# Classes are known to what Ruby has for profilers, blocks to its backtraces.
LIBRARY = Fiddle.dlopen(nil)
FRAMES = Fiddle::Function.new(
  LIBRARY["rb_profile_frames"],
  [Fiddle::TYPE_INT, Fiddle::TYPE_INT, Fiddle::TYPE_VOIDP, Fiddle::TYPE_VOIDP],
  Fiddle::TYPE_INT
)
LABEL = Fiddle::Function.new(
  LIBRARY["rb_profile_frame_full_label"], [Fiddle::TYPE_UINTPTR_T], Fiddle::TYPE_UINTPTR_T
)
MOST = 500

$expected = File.open(ARGV[0], "w")
$expected.sync = true
# traced when it has run for a while
if ARGV[1]
  puts "ready"
  $stdout.flush
  $stdin.gets
end

# The frames of the caller, innermost first, as dtrace shows them.
def here
  pointers = "\0" * (8 * MOST)
  numbers = "\0" * (4 * MOST)
  count = FRAMES.call(0, MOST, pointers, numbers)
  frames = pointers.unpack("J#{count}").zip(numbers.unpack("i#{count}"))
  # The first two are Fiddle::Function#call and this method.
  frames.shift(2)
  text = +"Process.ppid\n"
  caller_locations(1).each { |location| text << described(location, frames) }
  $expected.write(text, "--\n")
  1
end

# What belongs to the first of the frames that the location is of: there are some
# for blocks that are functions of C, too.
def described(location, frames)
  loop do
    frame, line = frames.shift
    # A class without a name is an address here.
    label = Fiddle.dlunwrap(LABEL.call(frame)).sub(/^#<Class:0x\h+>#/, "")
    if line.zero?
      return "#{label}\n" if label.split(/[#.]/).last == location.label

      next
    end
    label = location.label unless location.label == location.base_label
    return "#{label}(#{File.basename(location.path)}:#{location.lineno})\n"
  end
end

class Shop
  def map
    [3, 1].sort_by { |x| here + Process.ppid + x }
  end

  def self.fixed
    2.times { here + Process.ppid }
  end

  class << self
    def meta = here + Process.ppid
  end

  define_method(:made) { here + Process.ppid }

  def each
    yield here + Process.ppid
    yield 2
  end
  include Enumerable

  def <=>(_other) = here + Process.ppid

  def method_missing(_name, *) = here + Process.ppid
  def respond_to_missing?(*) = true

  def many(first = 1, *rest, last: 2, &block)
    rest << first << last
    [1].each { |x| [x].each { |y| here + Process.ppid + y } }
    block&.call
  end

  def to_s = (here + Process.ppid).to_s

  def careful
    begin
      raise "on purpose"
    rescue StandardError
      here + Process.ppid
    end
  ensure
    here + Process.ppid
  end

  class Inner
    def method = here + Process.ppid
  end
end

module Tool
  def self.included(_base) = here + Process.ppid

  def helper
    "abc".gsub(/b/) { here + Process.ppid; "x" }
  end
end

class Shop
  include Tool
  AT_ONCE = here + Process.ppid
end

def recurse(depth)
  return recurse(depth - 1) if depth.positive?

  here + Process.ppid
end

# So long that lines are in the blocks of their table.
long = (["x = 1 + 1", ""] * 400).join("\n") + "\nhere + Process.ppid\n" * 3
nothing = Class.new do
  def nameless = here + Process.ppid
end

shop = Shop.new
shop.map
Shop.fixed
Shop.meta
shop.made
shop.each { |_| nil }
shop.first
shop.inject { |sum, x| here + Process.ppid + x + sum }
shop.absent
shop.many { here + Process.ppid }
"#{shop}"
shop.careful
shop.helper
Shop::Inner.new.method
nothing.new.nameless
recurse(20)
[2, 1].sort { |a, b| here + Process.ppid; a <=> b }
Hash.new { |hash, key| hash[key] = here + Process.ppid }[:absent]
shop.method(:map).to_proc.call
shop.public_send(:helper)
catch(:out) { 3.times { |i| i == 1 ? throw(:out) : here + Process.ppid } }
[shop].each(&:made)
loop { break here + Process.ppid }
lazy = (1..3).lazy.map { |x| here + Process.ppid + x }
lazy.first(2)
Zlib::Inflate.new.inflate(Zlib.deflate("x" * 1000)) { |_| here + Process.ppid }
eval("here + Process.ppid", TOPLEVEL_BINDING, "evaluated.rb", 7)
eval(long, TOPLEVEL_BINDING, "long.rb", 1)
shop.instance_eval { here + Process.ppid }
fiber = Fiber.new { Fiber.yield(here + Process.ppid); recurse(2) }
2.times { fiber.resume }
4.times.map { |i| Thread.new { shop.helper + i.to_s } }.each(&:join)
$expected.close
Process.getpgid(0)
$stdin.gets
