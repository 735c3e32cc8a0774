// SPDX-License-Identifier: Apache-2.0
/* What the server says, in the shapes of its API (doc/dtlive.8, /api/1). */

export interface Failure {
	code?: string;
	message: string;
	hint?: string;
	excerpt?: string;
	complaints?: Complaint[];
}

export interface Complaint {
	tag: string;
	message: string;
	hint?: string;
	line: number;		/* from 1 */
	column: number;		/* from 0, in bytes */
	length: number;
	doubt?: boolean;
}

export interface Candidate {
	text: string;
	start: number;		/* in bytes */
	kind: string;
	detail: string;
	after: string;
}

export interface Memory {
	used: number;
	limit: number;
}

export interface Lost {
	spec: unknown;
	title: string;
}

export interface ServerStatus {
	version: string;
	host: string;
	kernel: string;
	epoch: string;
	now: number;
	interval: number;
	retention: number;	/* columns */
	memory: Memory;
	instrumentations: { count: number; limit: number };
	destructive: boolean;
	replay: boolean;
	max_cost: number | null;
	lost: Lost[];
	fleet?: { hosts: string | null } | null;	/* null: it shows its own host */
}

export interface Host {
	host: string;
	labels: Record<string, string>;
	kernel: string;
	version: string;
}

export interface Hosts {
	hosts: Host[];
	problem: string;	/* "": they are known */
}

/* As an instrumentation sees it. */
export interface HostState {
	host: string;
	state: string;
	error: string | null;
	labels: Record<string, string> | null;
	drops: number;
	faults: number;
	clock_ms?: number;	/* that it is ahead of the head's */
}

export interface Share {
	hosts?: { host: string; count: number }[];
	all?: number;
	whole?: boolean;
	problem?: string;
}

/* A number has a distribution; an integer is a name: a process, a CPU. */
export type FieldType = "number" | "integer" | "string" | "stack";

export interface Field {
	name: string;
	title: string;
	type: FieldType;
	unit?: string;
}

export interface Preset {
	title: string;
	by: string[];
	stacks: boolean;
	where?: Predicate | null;
}

export const ENTRIES = ["machine", "service", "program"] as const;
export type Entry = typeof ENTRIES[number];

export interface Module {
	name: string;
	title: string;
	entry: Entry;
}

export interface Metric {
	name: string;
	module: string;
	title: string;
	about: string;
	unit: string;
	available: boolean;
	reason: string;
	entry: Entry;
	needs_pid: boolean;
	fields: Field[];
	default: string[];
	view: ViewName;
	full: number | null;
	presets: Preset[];
}

export interface Metrics {
	checking?: boolean | number;	/* what is available is still being found out */
	modules: Module[];
	metrics: Metric[];
}

export const OPERATORS = ["eq", "ne", "lt", "le", "gt", "ge"] as const;
export type Operator = typeof OPERATORS[number];
export type Word = string | number;

/* {"eq": ["execname", "mysqld"]}, {"and": [...]}, {} for everything. */
export type Predicate = { [operator in Operator]?: [string, Word] } & { and?: Predicate[]; or?: Predicate[] };

export interface Request {
	metric?: string;
	by?: string[];
	where?: Predicate | null;
	stacks?: boolean;
	pid?: number | null;
	program?: string;
	options?: Record<string, string>;
	title?: string;
	hosts?: string;		/* of a fleet: which, and what keeps them apart */
	aggby?: string[];
}

export const VIEWS = ["heatmap", "flame", "line", "table", "log", "utilization", "timeline"] as const;
export type ViewName = typeof VIEWS[number];

export type Bound = number | string | null;

export interface SetInfo {
	set: number;
	name: string;
	function: string;
	kind: "histogram" | "scalar";
	keyNames: string[];
	hasStacks: boolean;
	rows?: [Bound, Bound][];
	unit: string;
	additive: boolean;
}

export interface Status {
	events: number;
	drops: number;
	faults: number;
	cost: number;			/* share of one CPU */
	cost_ns_per_event: number;
	kernel_bytes: number;
	rss_bytes: number;
	probes: number;
	log_lost: number;
	keys_lost: number;
	stacks_lost: number;
	columns_lost: number;
	/* of a fleet */
	sources: { wanted: number; reporting: number; late: number };
	refused: Record<string, number>;
	late: number;		/* columns that came again, with more */
}

export interface Instrumentation {
	id: number;
	title: string;
	state: "starting" | "running" | "ended" | "failed";
	reason: string;
	error: Failure | null;
	program: string;
	metric: string | null;
	by: string[];
	where: Predicate | null;
	stacks: boolean;
	pid?: number | null;
	pinned: boolean;
	started: number;
	ended: number | null;
	view: ViewName;
	unit: string;
	full: number | null;
	fields: Field[];
	sets: SetInfo[];
	status: Partial<Status>;
	fleet?: { hosts: string; aggby: string[] } | null;
}

export interface ColumnJson {
	t: number;
	set: number;
	rows: (number | string)[][];
	sources?: number;
}

export interface Line {
	t: number;
	cpu: number;
	probe: string;
	text: string;
	values?: (string | number)[];
}

export type FrameJson = [string, string, number];
export type NodeJson = [number, number];

export interface ValuesJson {
	sets: SetInfo[];
	keys: string[][][];
	frames: FrameJson[];
	nodes: NodeJson[];
	columns: ColumnJson[];
	log: Line[];
}

export interface ColumnEvent {
	id: number;
	keys?: [number, number, string[]][];
	frames_from?: number;
	frames?: FrameJson[];
	nodes_from?: number;
	nodes?: NodeJson[];
	column: ColumnJson;
}

export interface StatusEvent {
	now: number;
	instrumentations: Record<string, Partial<Status>>;
	memory: Memory;
}

export interface Annotation {
	n: number;
	t: number;
	text: string;
}

export interface Process {
	pid: number;
	name: string;
	command: string;
	user: string;
	cpu: number;
	rss: number;
	service: string | null;
}

/* What a snapshot has inside. */
export interface SnapshotJson {
	status: ServerStatus;
	metrics: Metrics | null;
	instrumentations: Instrumentation[];
	values: Record<string, ValuesJson>;
	annotations: Annotation[];
}
