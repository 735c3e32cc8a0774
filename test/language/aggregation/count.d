/* count() per key, ascending by value, ties by key */
BEGIN { @["b"] = count(); @["a"] = count(); @["c"] = count(); @["c"] = count(); exit(0); }
