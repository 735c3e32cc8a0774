# Threads that call, sort, match, compress, raise and yield, until the standard input
# ends.  Not a test by itself: ruby_profile.sh.
require "json"
require "zlib"

module Work
  def self.sorted = (1..200).sort_by { |x| -x % 17 }.first(3)

  def self.matched = ("ab" * 100).gsub(/b/) { |found| found.upcase }

  def self.packed = Zlib.inflate(Zlib.deflate("text" * 500)).size

  def self.parsed = JSON.parse(JSON.generate({ "a" => [1, 2, { "b" => nil }] * 20 }))
end

class Tree
  include Enumerable
  attr_reader :left, :right

  def initialize(depth)
    @left = Tree.new(depth - 1) if depth.positive?
    @right = Tree.new(depth - 1) if depth.positive?
  end

  def each(&block)
    left&.each(&block)
    yield self
    right&.each(&block)
  end
end

class Failing
  def raised
    yield
  rescue ArgumentError => e
    e.message
  ensure
    @done = true
  end
end

def fibonacci(n) = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)

def counted
  fiber = Fiber.new { 20.times { |x| Fiber.yield(x) } }
  20.times { fiber.resume }
end

def turn(tree, failing)
  Work.sorted
  Work.matched
  Work.packed
  Work.parsed
  tree.inject(0) { |sum, _| sum + 1 }
  tree.map { |node| node.left ? 1 : 0 }.each_slice(3).map(&:sum)
  failing.raised { raise ArgumentError, "on purpose" }
  counted
  fibonacci(12)
  [3, 1, 2].sort { |a, b| a <=> b }
  { a: 1, b: 2 }.to_h { |key, value| [value, key] }
end

$stdout.puts "ready"
$stdout.flush
workers = 2.times.map do
  Thread.new do
    tree = Tree.new(5)
    failing = Failing.new
    turn(tree, failing) until $over
  end
end
main = Thread.new { $stdin.read; $over = true }
tree = Tree.new(4)
turn(tree, Failing.new) until $over
[main, *workers].each(&:join)
