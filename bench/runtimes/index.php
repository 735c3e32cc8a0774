<?php
// SPDX-License-Identifier: Apache-2.0
// A page of a small shop: classes, templates, JSON, regular expressions.
class Catalogue {
    private array $items = [];
    function __construct(int $size) {
        for ($n = 0; $n < $size; $n++)
            $this->items[] = ['id' => $n, 'name' => "item $n", 'price' => $n * 7919 % 1000];
    }
    function find(string $word): array {
        $found = array_filter($this->items, fn($item) => str_contains($item['name'], $word));
        usort($found, fn($a, $b) => $a['price'] <=> $b['price']);
        return $found;
    }
}
function render(array $items): string {
    return implode("\n", array_map(fn($item) => '<li>' . strtoupper($item['name']) . ": {$item['price']}</li>", $items));
}
function number(array $match): string { return str_pad($match[1], 5, '0', STR_PAD_LEFT); }
$items = (new Catalogue(300))->find($_GET['q'] ?? '1');
$text = preg_replace_callback('/item (\d+)/i', 'number', render($items));
echo $text, md5(gzcompress(json_encode($items)));
