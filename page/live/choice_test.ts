// SPDX-License-Identifier: Apache-2.0
import { equal, finish, test } from "../common/testing";
import { moduleOf, often, processesOf, servicesOf, shelvesOf } from "./catalogue";
import { readNumber } from "./conditions";
import { INITIAL_BLOCK, INITIAL, readBlock, sane, withoutBlocks, writeBlock } from "./state";
import { sorted } from "./table_view";
import { Metric, Metrics, Process } from "./types";

function metric(name: string, more: Partial<Metric> = {}): Metric {
	return {
		name, module: name.split(".")[0], title: name, about: "", unit: "", available: true, reason: "", entry: "machine", needs_pid: false,
		fields: [], default: [], view: "line", full: null, presets: [{ title: `${name} by program`, by: ["execname"], stacks: false }], ...more,
	};
}

const METRICS: Metrics = {
	modules: [{ name: "ip", title: "IP", entry: "machine" }, { name: "fs", title: "Files", entry: "machine" }, { name: "mysql", title: "MariaDB", entry: "service" }],
	metrics: [metric("ip.packets", { available: false }), metric("fs.opens", { available: false }), metric("fs.names"), metric("fs.operations", { presets: [...metric("a").presets, ...metric("b").presets] }),
		metric("mysql.queries", { entry: "service" })],
};

test("shelves: what can be asked comes first", () => {
	equal(shelvesOf(METRICS, "machine").map(({ module, metrics, available }) => [module.name, metrics.map(({ name }) => name), available]),
		[["fs", ["fs.operations", "fs.names", "fs.opens"], 2], ["ip", ["ip.packets"], 0]]);
	equal(shelvesOf(METRICS, "machine", "PROGRAM names").map(({ metrics }) => metrics.length), [1]);
	equal(shelvesOf(METRICS, "program"), []);
	equal(often(METRICS).map(({ preset }) => preset.title), ["a by program"]);
});

test("processes and services", () => {
	const process = (pid: number, name: string, service: string | null, cpu = 0): Process => ({ pid, name, command: "/bin/" + name, user: "root", cpu, rss: 0, service });
	const all = [process(9, "mariadbd", "mariadb"), process(3, "bash", null, 0.5), process(2, "mariadbd", "mariadb")];
	equal([...servicesOf(all)].map(([name, list]) => [name, list.map(({ pid }) => pid)]), [["mariadb", [2, 9]]]);
	equal([moduleOf(METRICS, "mariadb"), moduleOf(METRICS, "redis")], ["mysql", ""]);
	equal(processesOf(all, "").map(({ pid }) => pid), [3, 2, 9]);
	equal(processesOf(all, "BIN/mar 9").map(({ pid }) => pid), [9]);
});

test("numbers as people write them", () => {
	equal(["5", " 5ms ", "1.5 s", "4k", "-3", "", "x", "5 parsecs", "5 constructor"].map(readNumber), [5, 5e6, 1.5e9, 4096, -3, "", "", "", ""]);
});

test("each picture has a state of its own, within the state", () => {
	const block = { ...INITIAL_BLOCK, view: "table", only: "1.2", search: "a&b=<c>" };
	const blocks = writeBlock(writeBlock("", "3.0", block), "4.log", { ...INITIAL_BLOCK, search: "x" });
	equal(readBlock(blocks, "3.0"), block);
	equal(readBlock(blocks, "5.0"), INITIAL_BLOCK);
	equal([readBlock(withoutBlocks(blocks, 3), "3.0"), readBlock(withoutBlocks(blocks, 3), "4.log").search], [INITIAL_BLOCK, "x"]);
	equal(writeBlock(writeBlock(blocks, "3.0", INITIAL_BLOCK), "4.log", INITIAL_BLOCK), "");
	equal(readBlock("3.0=view%3Devil%26stacks%3Dx", "3.0"), INITIAL_BLOCK);
	equal(sane({ ...INITIAL, span: 7, until: -3, page: "evil" as "" }), INITIAL);
});

test("tables are sorted by any column", () => {
	const one = (key: number, total: number, last: number): Parameters<typeof sorted>[0][0] => ({ key, name: "", values: new Float64Array(), total, last, most: 0 });
	const series = [one(0, 5, 1), one(1, 9, 0), one(2, 1, 7)], keys = [["b", "10"], ["a", "9"], ["c", "1"]];
	const order = (sort: string, isUp: boolean): number[] => sorted(series, keys, sort, isUp).map(({ key }) => key);
	equal([order("", false), order("", true), order("last", false), order("0", false), order("1", false)], [[1, 0, 2], [2, 0, 1], [2, 0, 1], [1, 0, 2], [2, 1, 0]]);
});

finish();
