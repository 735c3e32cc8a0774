# SPDX-License-Identifier: Apache-2.0
# What scripts in Ruby do, with extensions in C that call back; works until it is killed.
require "digest"
require "json"
require "strscan"
require "zlib"

class Orders
  def initialize(size)
    @rows = (0...size).map { |n| { "id" => n, "name" => "item #{n}", "price" => n * 7919 % 1000 } }
  end

  def text
    JSON.generate(@rows.sort_by { |row| row["price"] })
  end

  def words(text)
    text.gsub(/item (\d+)/) { $1.rjust(5, "0") }
  end

  def scan(text)
    scanner = StringScanner.new(text)
    count = 0
    count += 1 while scanner.scan_until(/"price"/)
    count
  end
end

def fibonacci(n)
  n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
end

def work
  orders = Orders.new(300)
  loop do
    text = orders.words(orders.text)
    orders.scan(text)
    Digest::SHA256.hexdigest(Zlib::Deflate.deflate(text))
    fibonacci(15)
  end
end

2.times { Thread.new { work } }
puts "ready"
$stdout.flush
work
