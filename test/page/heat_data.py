# SPDX-License-Identifier: Apache-2.0
"""Heat maps as files of dtrace have them, and as a browser shows them.

A second reader, independent of the page's.
"""
import base64, json, re

LEFT, RIGHT, ABOVE, BELOW = 88, 12, 10, 28      # of canvas.ts


def varints(data):
    value = shift = 0
    for byte in data:
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            yield value
            value = shift = 0


def read(path):
    """The maps of a file; "cells" of each are [column, row, keys, count]."""
    with open(path, encoding="utf-8") as file:
        data = json.loads(re.search(r'id="data">(.*?)</script>', file.read(), re.DOTALL)[1])
    for number, map in enumerate(data["maps"]):
        width, column, cells = 5 if map.get("stacksIn") == number else 4, 0, []
        for delta, row, key, count, *_ in zip(*[varints(base64.b64decode(map["cells"]))] * width):
            column += delta
            cells.append((column, row, tuple(map["keys"][key]), count // 2))
        map["cells"] = cells
    return data["maps"]


def place(browser, column, row, columns, rows):
    """The middle of a cell, in the window; rows are as high as each other."""
    left, top, width, height = browser.run("""
        const c = document.querySelector('canvas');
        c.scrollIntoView({ block: 'nearest' });
        const r = c.getBoundingClientRect();
        return [r.left, r.top, r.width, r.height]""")
    width, height = width - LEFT - RIGHT, height - ABOVE - BELOW
    return left + LEFT + width * (column + 0.5) / columns, top + ABOVE + height * (1 - (row + 0.5) / rows)


def colour(browser, x, y):
    """Of a point of the window that is in the map."""
    return tuple(browser.run("""
        const c = document.querySelector('canvas'), r = c.getBoundingClientRect(), s = devicePixelRatio;
        const one = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        one.drawImage(c, Math.round((arguments[0] - r.left) * s), Math.round((arguments[1] - r.top) * s), 1, 1, 0, 0, 1, 1);
        return Array.from(one.getImageData(0, 0, 1, 1).data.slice(0, 3));""", x, y))
