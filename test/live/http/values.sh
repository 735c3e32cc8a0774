# Columns, keys and lines are what the program counted and printed; heat map and details are sums of them.
# @once: a page for people, with libraries that guests and sanitizers lack
. "$suite/lib.sh"
. "$suite/live.sh"
live_start
post /instrumentations '{"program":"BEGIN { @size[\"x\"] = quantize(100); @size[\"x\"] = quantize(100); @size[\"y\"] = quantize(5000); @n = count(); @n = count(); @low = min(7); @low = min(3); @mean = avg(4); @mean = avg(8); printf(\"one %d\", 1); }"}' > /dev/null
await_value /instrumentations/1/values "len(value['columns']) == 4"
get /instrumentations/1/values > values
$json < values
$json --get "[(one['name'], one['function'], one['kind'], one['additive']) for one in value['sets']]" < values
$json --get "value['keys'], [column['rows'] for column in value['columns']]" < values
$json --get "[(line['probe'], line['text'], line['values']) for line in value['log']]" < values
$json --get "all(column['t'] % 1000 == 0 for column in value['columns'])" < values
get "/instrumentations/1/heatmap?set=0" > map
$json < map
$json --get "value['cells'], value['columns'], value['maximum'], value['rows'][70]" < map
get "/instrumentations/1/heatmap?set=0&keys=1" | $json --get "value['cells']"
get "/instrumentations/1/heatmap?set=0&low=71" | $json --get "value['cells']"
get "/instrumentations/1/details?set=0" | $json --get "value['total'], value['keys']"
get "/instrumentations/1/details?set=0&low=70&high=70" | $json --get "value['keys'], value['low'], value['high']"
get "/instrumentations/1/values?to=1000" | $json --get "value['columns'], value['log']"
get "/instrumentations/1/details?set=0&to=1000" | $json --get "value['total'], value['keys']"
