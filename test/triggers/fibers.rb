# Fibers that resume each other in random order, and raise through each other.
Random.srand(5)
sum = 0
fibers = 8.times.map do |i|
  Fiber.new do
    loop do
      begin
        [3, 1, 2].sort { |a, b| Fiber.yield(a * i); raise "seven" if rand(9) == 7; a <=> b }
      rescue => e
        sum += e.message.size
      end
      Fiber.yield(i)
    end
  end
end
ARGV[0].to_i.times { sum = (sum * 31 + fibers[rand(8)].resume.to_i) % 1000003 }
puts sum
exit 5
