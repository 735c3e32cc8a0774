<?php
// Knows its own stacks, as python_frames.py does.  Not a test by itself: php.sh.
function here()
{
    global $expected;
    $frames = debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
    $text = "posix_getppid\n";
    foreach ($frames as $i => $frame) {
        $caller = $frames[$i + 1] ?? ["function" => "{main}"];
        $text .= (isset($caller["class"]) ? $caller["class"] . "::" : "") . $caller["function"];
        $text .= isset($frame["file"]) ? "(" . basename($frame["file"]) . ":{$frame["line"]})\n" : "\n";
    }
    fwrite($expected, "$text--\n");
    return 1;
}

class Shop
{
    function method() { here() + posix_getppid(); }
    static function fixed() { here() + posix_getppid(); }
    function generate() { foreach ([1, 2] as $x) { here() + posix_getppid(); yield $x; } }
    function __get($name) { return here() + posix_getppid(); }
    function __toString() { return (string)(here() + posix_getppid()); }
    public $kept;
    function map()
    {
        $this->kept = fn($x) => here() + posix_getppid();
        array_map($this->kept, [1]);
    }
}

function recurse($depth)
{
    if ($depth > 0)
        return recurse($depth - 1);
    return here() + posix_getppid();
}

$expected = fopen($argv[1], "w");
$shop = new Shop;
$shop->method();
Shop::fixed();
foreach ($shop->generate() as $x);
$shop->absent;
$text = "$shop";
$shop->map();
recurse(20);
$list = [2, 1];
usort($list, function ($a, $b) { here() + posix_getppid(); return $a <=> $b; });
preg_replace_callback("/a/", function ($m) { recurse(1); return "b"; }, "xa");
call_user_func([$shop, "method"]);
here() + posix_getppid();
eval("here() + posix_getppid();");

# Names of classes are read from the living process: until all stacks are printed.
posix_getpgid(1);
for ($i = 0; $i < 3000 && !file_exists("$argv[1].end"); $i++) {
    usleep(10000);
    clearstatcache();
}
