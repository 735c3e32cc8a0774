# SPDX-License-Identifier: Apache-2.0
# What scripts in Python do, with modules in C that call back; works until it is killed.
import hashlib, json, re, sqlite3, threading, zlib


class Orders:
    def __init__(self, size):
        self.rows = [{"id": n, "name": "item %d" % n, "price": n * 7919 % 1000} for n in range(size)]

    def store(self):
        base = sqlite3.connect(":memory:")
        base.create_function("discount", 1, self.discount)
        base.execute("create table orders (id, name, price)")
        base.executemany("insert into orders values (:id, :name, :price)", self.rows)
        return sum(row[0] for row in base.execute("select discount(price) from orders"))

    @staticmethod
    def discount(price):
        return price * 0.9 if price > 500 else price

    def text(self):
        return json.dumps(sorted(self.rows, key=lambda row: row["price"]))

    def words(self, text):
        return re.sub(r"item (\d+)", lambda match: match.group(1).zfill(5), text)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def generate(n):
    for i in range(n):
        yield i * i


def work():
    orders = Orders(300)
    while True:
        orders.store()
        text = orders.words(orders.text())
        hashlib.sha256(zlib.compress(text.encode())).hexdigest()
        fibonacci(15) + sum(generate(1000))


for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
print("ready", flush=True)
work()
