// SPDX-License-Identifier: Apache-2.0
import { equal, finish, test } from "../common/testing";
import { flatten, Store } from "./store";
import { filled, instrumentation, VALUES } from "./testdata";
import { ServerStatus } from "./types";

const told: string[] = [];

function store(): Store {
	told.length = 0;
	const made = new Store({ all: () => told.push("all"), one: (id) => told.push(String(id)), time: () => told.push("time") });
	made.describe(instrumentation());
	made.fill(3, VALUES);
	return made;
}

function times(of: Store, set = 0): number[] {
	return of.instruments.get(3)!.sets[set].columns.map(({ t }) => t);
}

test("cells become numbers, large ones too", () => {
	equal(flatten({ t: 1, set: 0, rows: [[0, 2, 3, 5, 4, "1"], [1, 4, 3, 2]] }, true),
		{ t: 1, cells: Float64Array.from([0, 2, 3, 5, 0, 2, 4, 1, 1, 4, 3, 2]), low: 3, high: 4 });
	equal(Array.from(flatten({ t: 1, set: 0, rows: [[0, 0, 4, 12]] }, false).cells), [0, 0, 4, 12]);
	equal(Array.from(flatten({ t: 1, set: 0, rows: [[0, 0, "9007199254740993"]] }, false).cells), [0, 0, 2 ** 53, 0]);
});

test("values fill it, names are made visible", () => {
	const { sets, nodes, frames, log } = filled();
	equal(sets[0].keys, [["alpha"], ["beta\\x1b"]]);
	equal([nodes.length, frames.length, log[0].text], [5, 4, "gone"]);
	equal(times(store()), [1000, 2000]);
	equal(filled().sets[0].between(1000, 2000).length, 1);
});

test("a column that comes again replaces the one before", () => {
	const one = store();
	equal(one.column({ id: 3, column: { t: 2000, set: 0, rows: [[1, 0, 2, 9]] } }), true);
	equal(one.column({ id: 3, column: { t: 1500, set: 0, rows: [] } }), true);
	equal(times(one), [1000, 1500, 2000]);
	equal(Array.from(one.instruments.get(3)!.sets[0].columns[2].cells), [1, 0, 2, 9]);
	equal(told.slice(-1), ["3"]);
});

test("keys, frames and nodes are added once, however often they are said", () => {
	const one = store(), { sets, nodes, frames } = one.instruments.get(3)!;
	const event = { id: 3, keys: [[0, 2, ["gamma"]]] as [number, number, string[]][], frames_from: 4, frames: [["fsync", "libc", 1]] as [string, string, number][],
		nodes_from: 5, nodes: [[1, 4]] as [number, number][], column: { t: 4000, set: 0, rows: [[2, 5, 1, 1]] } };
	equal([one.column(event), one.column(event)], [true, true]);
	equal([sets[0].keys.length, nodes.length, frames.length], [3, 6, 5]);
});

test("a gap is seen", () => {
	const rows = [[0, 0, 1, 1]];
	equal(store().column({ id: 4, column: { t: 1, set: 0, rows } }), false);
	equal(store().column({ id: 3, column: { t: 1, set: 2, rows } }), false);
	equal(store().column({ id: 3, column: { t: 1, set: 0, rows: [[2, 0, 1, 1]] } }), false);
	equal(store().column({ id: 3, column: { t: 1, set: 0, rows: [[0, 5, 1, 1]] } }), false);
	equal(store().column({ id: 3, keys: [[0, 3, ["d"]]], column: { t: 1, set: 0, rows } }), false);
	equal(store().column({ id: 3, nodes: [[9, 0]], column: { t: 1, set: 0, rows } }), false);
	equal(store().column({ id: 3, nodes_from: 6, nodes: [[0, 0]], column: { t: 1, set: 0, rows } }), false);
	equal(store().column({ id: 3, frames_from: 0, frames: [["other", "", 0]], column: { t: 1, set: 0, rows } }), false);
	equal(store().column({ id: 3, nodes_from: 1, nodes: [[0, 3]], column: { t: 1, set: 0, rows } }), false);
});

test("what is older than the retention goes", () => {
	const one = store();
	one.setStatus({ interval: 1000, retention: 2, now: 0, memory: { used: 1, limit: 2 } } as ServerStatus);
	one.tick({ now: 4500, instrumentations: { 3: { events: 9, cost: 0.5 } }, memory: { used: 5, limit: 6 } });
	equal([times(one), times(one, 1)], [[2000], [3000]]);
	equal(one.instruments.get(3)!.log.length, 0);
	equal([one.instruments.get(3)!.info.status, one.memory], [{ events: 9, cost: 0.5 }, { used: 5, limit: 6 }]);
});

test("a description keeps the numbers that it does not say", () => {
	const one = store();
	one.describe(instrumentation({ title: "New", status: {} }));
	equal([one.instruments.get(3)!.info.title, one.instruments.get(3)!.info.status.events, times(one).length], ["New", 7, 2]);
});

test("pinned ones come first, annotations by time", () => {
	const one = store();
	one.describe(instrumentation({ id: 1 }));
	one.describe(instrumentation({ id: 7, pinned: true }));
	equal(one.ordered().map(({ info }) => info.id), [7, 1, 3]);
	one.keep([1]);
	equal([...one.instruments.keys()], [1]);
	one.annotate({ n: 1, t: 20, text: "b" });
	one.annotate({ n: 2, t: 10, text: "a" });
	one.annotate({ n: 1, t: 5, text: "c" });
	equal(one.annotations.map(({ text }) => text), ["c", "a"]);
	one.unannotate(1);
	equal(one.annotations.length, 1);
});

test("lines that come twice are kept once", () => {
	const one = store();
	const line = { t: 1000.5, cpu: 0, probe: "p", text: "gone" };
	one.log(3, [{ ...line, t: 1002 }, line]);
	equal(one.instruments.get(3)!.log.map(({ t }) => t), [1000.5, 1002]);
});

finish();
