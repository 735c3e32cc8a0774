// SPDX-License-Identifier: Apache-2.0
/*
 * All that the page knows: instrumentations and what they counted, as far back
 * as the server keeps it.
 *
 * 1. A column that comes again replaces the one before: events are harmless
 *    when they are repeated, and so are keys, frames and nodes, which have
 *    numbers.
 * 2. A column that speaks of a key or node that nobody has told us of is a gap:
 *    apply says so, and whoever holds the connection asks for everything again.
 * 3. Nothing older than the retention stays.
 *
 * Cells are kept as plain numbers, four for each, because there are millions:
 * key, node, row, count in a histogram; key, node and two values otherwise.
 */

import { visible } from "../common/text";
import { Annotation, ColumnEvent, ColumnJson, FrameJson, Host, Hosts, Instrumentation, Line, Memory, NodeJson, ServerStatus, SetInfo, Status, StatusEvent, ValuesJson } from "./types";

export const STRIDE = 4;
const MOST_LINES = 5000;
const RATE_OVER = 4;	/* reports */

export interface Column {
	t: number;
	cells: Float64Array;
	low: number;	/* rows that a histogram has used; low > high: none */
	high: number;
}

/* What one aggregation counted. */
export class Counted {
	readonly keys: string[][] = [];
	readonly columns: Column[] = [];	/* by time */

	constructor(public info: SetInfo) {}

	get isHistogram(): boolean {
		return this.info.kind === "histogram";
	}

	/* The first column that is not before t. */
	indexOf(t: number): number {
		let low = 0, high = this.columns.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.columns[middle].t < t)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* Columns from `from` on, before `to`. */
	between(from: number, to: number): Column[] {
		return this.columns.slice(this.indexOf(from), this.indexOf(to));
	}

	put(column: Column): void {
		const at = this.indexOf(column.t);
		this.columns.splice(at, this.columns[at]?.t === column.t ? 1 : 0, column);
	}

	forget(before: number): void {
		this.columns.splice(0, this.indexOf(before));
	}
}

/* Columns of the server as numbers; numbers beyond 2^53 are texts there. */
export function flatten(json: ColumnJson, isHistogram: boolean): Column {
	const cells: number[] = [];
	let low = Infinity, high = -1;
	for (const row of json.rows) {
		const key = Number(row[0]), node = Number(row[1]);
		if (!isHistogram)
			cells.push(key, node, Number(row[2] ?? 0), Number(row[3] ?? 0));
		else
			for (let i = 2; i + 1 < row.length; i += 2) {
				const bucket = Number(row[i]);
				cells.push(key, node, bucket, Number(row[i + 1]));
				low = Math.min(low, bucket);
				high = Math.max(high, bucket);
			}
	}
	return { t: json.t, cells: Float64Array.from(cells), low, high };
}

function shown(words: readonly unknown[]): string[] {
	return words.map((word) => visible(String(word)));
}

export class Instrument {
	readonly sets: Counted[] = [];
	readonly frames: FrameJson[] = [];
	readonly nodes: NodeJson[] = [[-1, -1]];	/* the root is node 0 */
	log: Line[] = [];
	rate = 0;	/* events per second */
	private readonly past: [number, number][] = [];

	constructor(public info: Instrumentation) {
		this.describe(info);
	}

	describe(info: Instrumentation): void {
		/* a program that was written by hand has no fields */
		this.info = {
			...info, by: info.by ?? [], fields: info.fields ?? [], unit: info.unit ?? "", reason: info.reason ?? "",
			status: { ...this.info?.status, ...info.status },
		};
		this.describeSets(info.sets ?? []);
	}

	/* Totals; workers report them once in a second, but not at the same time. */
	setStatus(status: Partial<Status>, now: number): void {
		this.info.status = { ...this.info.status, ...status };
		this.past.push([now, this.info.status.events ?? 0]);
		if (this.past.length > RATE_OVER)
			this.past.shift();
		const [then, before] = this.past[0];
		this.rate = now > then ? Math.max(0, ((this.info.status.events ?? 0) - before) / (now - then) * 1000) : 0;
	}

	private describeSets(sets: readonly SetInfo[]): void {
		for (const json of sets) {
			const set = { ...json, unit: json.unit ?? "" };
			if (this.sets[set.set])
				this.sets[set.set].info = set;
			else
				this.sets[set.set] = new Counted(set);
		}
	}

	/* Numbered from `from`: what is known must be the same, and nothing may be left out. */
	private addFrames(frames: readonly FrameJson[], from = this.frames.length): boolean {
		return frames.every(([name, object, kind], i) => {
			const frame: FrameJson = [visible(name), visible(object ?? ""), kind], was = this.frames[from + i];
			if (was)
				return was[0] === frame[0] && was[1] === frame[1];
			return from + i === this.frames.length && this.frames.push(frame) > 0;
		});
	}

	/* The root comes first, and is known. */
	private addNodes(nodes: readonly NodeJson[], from = this.nodes.length): boolean {
		return nodes.every(([parent, frame], i) => {
			const number = from + i, was = this.nodes[number];
			if (was)
				return number === 0 || was[0] === parent && was[1] === frame;
			return number === this.nodes.length && parent < number && frame < this.frames.length && this.nodes.push([parent, frame]) > 0;
		});
	}

	private addKey(set: number, number: number, words: readonly string[]): boolean {
		const keys = this.sets[set]?.keys;
		if (!keys || number > keys.length)
			return false;
		keys[number] = shown(words);
		return true;
	}

	private addColumn(json: ColumnJson): boolean {
		const set = this.sets[json.set];
		if (!set)
			return false;
		const column = flatten(json, set.isHistogram), { cells } = column;
		for (let i = 0; i < cells.length; i += STRIDE)
			if (cells[i] >= Math.max(set.keys.length, 1) || cells[i + 1] >= this.nodes.length)
				return false;
		set.put(column);
		return true;
	}

	/* False: something was missed. */
	apply(event: ColumnEvent): boolean {
		return this.addFrames(event.frames ?? [], event.frames_from) && this.addNodes(event.nodes ?? [], event.nodes_from) &&
			(event.keys ?? []).every(([set, number, words]) => this.addKey(set, number, words)) &&
			this.addColumn(event.column);
	}

	addLines(lines: readonly Line[]): void {
		for (const line of lines) {
			const last = this.log[this.log.length - 1];
			/* events since the values were asked for may repeat some of them */
			if (last && line.t < last.t && this.log.some((other) => other.t === line.t && other.text === line.text))
				continue;
			this.log.push({ ...line, text: visible(line.text.replace(/\n$/, "")), probe: visible(line.probe),
				values: line.values?.map((value) => typeof value === "string" ? visible(value) : value) });
		}
		if (this.log.length > MOST_LINES)
			this.log = this.log.slice(-MOST_LINES);
	}

	/* Everything anew. */
	fill(values: ValuesJson): void {
		this.sets.length = this.frames.length = 0;
		this.nodes.length = 1;
		this.log = [];
		this.describeSets(values.sets);
		values.keys.forEach((keys, set) => keys.forEach((words, number) => this.addKey(set, number, words)));
		this.addFrames(values.frames, 0);
		this.addNodes(values.nodes, 0);
		for (const column of values.columns)
			this.addColumn(column);
		this.addLines(values.log);
	}

	forget(before: number): void {
		for (const set of this.sets)
			set?.forget(before);
		let gone = 0;
		while (gone < this.log.length && this.log[gone].t < before)
			gone++;
		if (gone)
			this.log.splice(0, gone);
	}
}

/* What has to be drawn again: everything, instrumentations, or what is around them. */
export interface Changes {
	all(): void;			/* other panels than before */
	one(id: number): void;
	time(): void;			/* a second has passed */
}

export class Store {
	status: ServerStatus | null = null;
	memory: Memory = { used: 0, limit: 0 };
	now = 0;
	private newest = 0;	/* when the last column ends */
	readonly instruments = new Map<number, Instrument>();
	annotations: Annotation[] = [];
	hosts: readonly Host[] = [];	/* of a fleet */
	hostProblem = "";

	constructor(private readonly changes: Changes) {}

	get interval(): number {
		return this.status?.interval || 1000;
	}

	get retention(): number {
		return (this.status?.retention ?? 600) * this.interval;
	}

	/*
	 * Where pictures end: with the last column that is here.  Columns come when
	 * their second is over; without them time goes on, too.
	 */
	get edge(): number {
		return Math.max(this.newest, this.now - 2 * this.interval);
	}

	private sawColumn(t: number): void {
		this.newest = Math.min(Math.max(this.newest, t + this.interval), this.now + this.interval);
	}

	/* The server has just said all that it knows. */
	setStatus(status: ServerStatus): void {
		this.status = status;
		this.memory = status.memory;
		this.now = Math.max(this.now, status.now);
		this.changes.all();
	}

	setHosts({ hosts, problem }: Hosts): void {
		this.hosts = hosts;
		this.hostProblem = problem;
		this.changes.all();
	}

	describe(info: Instrumentation): Instrument {
		let instrument = this.instruments.get(info.id);
		if (instrument) {
			instrument.describe(info);
		} else {
			instrument = new Instrument(info);
			this.instruments.set(info.id, instrument);
		}
		this.changes.all();
		return instrument;
	}

	fill(id: number, values: ValuesJson): void {
		this.instruments.get(id)?.fill(values);
		for (const { t } of values.columns)
			this.sawColumn(t);
		this.changes.one(id);
	}

	/* False: ask for everything of this one again. */
	column(event: ColumnEvent): boolean {
		const instrument = this.instruments.get(event.id);
		if (!instrument?.apply(event))
			return false;
		this.sawColumn(event.column.t);
		this.changes.one(event.id);
		return true;
	}

	log(id: number, lines: readonly Line[]): void {
		this.instruments.get(id)?.addLines(lines);
		this.changes.one(id);
	}

	tick(event: StatusEvent): void {
		this.now = event.now;
		this.memory = event.memory ?? this.memory;
		for (const [id, status] of Object.entries(event.instrumentations)) {
			const instrument = this.instruments.get(Number(id));
			if (instrument)
				instrument.setStatus(status, event.now);
		}
		for (const instrument of this.instruments.values())
			instrument.forget(this.now - this.retention - this.interval);
		this.changes.time();
	}

	gone(id: number): void {
		this.instruments.delete(id);
		this.changes.all();
	}

	/* Only those stay. */
	keep(ids: readonly number[]): void {
		for (const id of [...this.instruments.keys()])
			if (!ids.includes(id))
				this.instruments.delete(id);
		this.changes.all();
	}

	annotate(annotation: Annotation): void {
		this.annotations = [...this.annotations.filter(({ n }) => n !== annotation.n), { ...annotation, text: visible(annotation.text) }]
			.sort((a, b) => a.t - b.t);
		this.changes.time();
	}

	unannotate(n: number): void {
		this.annotations = this.annotations.filter((annotation) => annotation.n !== n);
		this.changes.time();
	}

	/* Pinned ones first, then as they came. */
	ordered(): Instrument[] {
		return [...this.instruments.values()].sort((a, b) => Number(b.info.pinned) - Number(a.info.pinned) || a.info.id - b.info.id);
	}
}
