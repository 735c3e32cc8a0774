// SPDX-License-Identifier: Apache-2.0
/* Small instrumentations for tests. */

import { Instrument } from "./store";
import { Instrumentation, SetInfo, ValuesJson } from "./types";

export const HISTOGRAM: SetInfo = {
	set: 0, name: "latency", function: "quantize", kind: "histogram", keyNames: ["execname"], hasStacks: true,
	rows: [[null, -1], [0, 0], [1, 1], [2, 3], [4, 7], [8, "18446744073709551615"]], unit: "ns", additive: true,
};
export const SCALAR: SetInfo = {
	set: 1, name: "bytes", function: "sum", kind: "scalar", keyNames: ["execname"], hasStacks: false, unit: "bytes", additive: true,
};

export function instrumentation(part: Partial<Instrumentation> = {}): Instrumentation {
	return {
		id: 3, title: "Latency by program", state: "running", reason: "", error: null, program: "", metric: "fs.operations",
		by: ["latency", "execname"], where: null, stacks: false, pinned: false, started: 0, ended: null, view: "heatmap",
		unit: "ns", full: null, sets: [HISTOGRAM, SCALAR], status: { events: 7 },
		fields: [{ name: "latency", title: "latency", type: "number", unit: "ns" }, { name: "execname", title: "program", type: "string" },
			{ name: "pid", title: "process", type: "number" }, { name: "ustack", title: "user stack", type: "stack" }],
		...part,
	};
}

/* main>read is node 3, main>write 2: children do not come in any order. */
export const VALUES: ValuesJson = {
	sets: [HISTOGRAM, SCALAR], keys: [[["alpha"], ["beta\u001b"]], [["alpha"]]],
	frames: [["main", "a.out", 1], ["write", "libc", 1], ["read", "libc", 1], ["idle", "", 0]],
	nodes: [[0, 0], [0, 0], [1, 1], [1, 2], [0, 3]],
	columns: [
		{ t: 1000, set: 0, rows: [[0, 2, 3, 5, 4, 1], [1, 4, 3, 2]] },
		{ t: 2000, set: 0, rows: [[0, 3, 4, 10]] },
		{ t: 1000, set: 1, rows: [[0, 0, 4096]] },
		{ t: 3000, set: 1, rows: [[0, 0, "9007199254740993"]] },
	],
	log: [{ t: 1000.5, cpu: 0, probe: "proc:::exit", text: "gone\n" }],
};

export function filled(): Instrument {
	const instrument = new Instrument(instrumentation());
	instrument.fill(VALUES);
	return instrument;
}
