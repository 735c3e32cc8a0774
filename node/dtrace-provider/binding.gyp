# The sources are where `make node-provider` puts them beside this file.
{
	"targets": [{
		"target_name": "usdt",
		"sources": ["src/addon.c", "src/collections.c", "src/provider.c", "src/object.c", "src/file.c"],
		"include_dirs": ["src"],
		"defines": ["_GNU_SOURCE"],
		"cflags": ["-std=gnu11", "-fvisibility=hidden"],
		"ldflags": ["-Wl,-Bsymbolic"],
	}]
}
