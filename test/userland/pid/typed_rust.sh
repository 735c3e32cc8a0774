# args[] of Rust: references, enums, slices in two words, objects that are passed by their address.
. "$suite/lib.sh"
not_in_guests
cat > shop.rs <<'RS'
use std::hint::black_box;
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Kind { Small = 1, Large = 200 }
pub struct Item { pub id: i32, pub name: &'static str, pub kind: Kind }
pub struct Bill { pub sum: u64, pub tax: u64, pub items: u64 }
#[inline(never)]
#[no_mangle]
pub fn sell(item: &Item, count: i32, name: &str, kind: Kind, last: u16) -> i32 {
    black_box((item, name));
    item.id + count + name.len() as i32 + kind as i32 + last as i32
}
#[inline(never)]
#[no_mangle]
pub fn raise(bill: Bill, by: u64) -> Bill {
    black_box(&bill);
    Bill { sum: bill.sum + by, tax: bill.tax, items: bill.items }
}
fn main() {
    let item = Item { id: 11, name: "apple", kind: Kind::Large };
    black_box(sell(&item, 5, black_box("hello"), black_box(Kind::Small), 9));
    black_box(raise(black_box(Bill { sum: 1, tax: 2, items: 3 }), 10));
    black_box((item.kind, item.name));
}
RS
rustc -g -O -o shop shop.rs 2> /dev/null || skip "no Rust compiler here"
"$dtrace" -qn '
pid$target:a.out:sell:entry
{
	printf("%d %d %d %d %d %d\n", args[0]->id, args[0]->kind == Large, args[1], args[2].length, args[3] == Small, args[4]);
	printf("%.*s %.*s\n", (int)args[0]->name.length, stringof(args[0]->name.data_ptr),
	    (int)args[2].length, stringof(args[2].data_ptr));
}
pid$target:a.out:raise:entry { printf("%d %d\n", args[0]->tax, args[1]); }
pid$target:a.out:raise:return { printf("%d\n", args[1]->sum); }' -c ./shop | grep .
