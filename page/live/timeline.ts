// SPDX-License-Identifier: Apache-2.0
/*
 * Lives of processes, from log lines whose values are kind, pid, ppid, name:
 * "fork" or "create" begins a life (or "exec" does, if nobody saw the fork),
 * "exec" gives a name, "exit" ends it.  A number is used again: then it is
 * another life.
 */

import { Line } from "./types";

export interface Life {
	pid: number;
	parent: number;
	name: string;
	names: string[];		/* all that it had */
	begin: number | null;		/* null: before anybody looked */
	end: number | null;		/* null: it lives */
	depth: number;
}

const KINDS: Record<string, "begin" | "name" | "end"> = {
	fork: "begin", create: "begin", clone: "begin", start: "begin", exec: "name", "exec-success": "name", exit: "end",
};

export function isLife(line: Line): boolean {
	return Array.isArray(line.values) && line.values.length >= 4 && KINDS[String(line.values[0])] !== undefined;
}

export function livesOf(lines: readonly Line[]): Life[] {
	const lives: Life[] = [], now = new Map<number, Life>();
	const begin = (pid: number, parent: number, name: string, t: number | null): Life => {
		const life: Life = { pid, parent, name, names: name ? [name] : [], begin: t, end: null, depth: 0 };
		lives.push(life);
		now.set(pid, life);
		return life;
	};
	for (const line of lines.filter(isLife)) {
		const [word, first, second, third] = line.values!, pid = Number(first), parent = Number(second), name = String(third);
		const kind = KINDS[String(word)], was = now.get(pid);
		if (kind === "begin") {
			begin(pid, parent, name, line.t);
		} else {
			const life = was ?? begin(pid, parent, name, null);
			if (name && life.names[life.names.length - 1] !== name)
				life.names.push(name);
			if (kind === "name" && name)
				life.name = name;
			if (kind === "end") {
				life.end = line.t;
				now.delete(pid);
			}
		}
	}
	return lives;
}

/* Those that were seen in the window, parents before their children, deeper ones with their depth. */
export function family(lives: readonly Life[], from: number, to: number): Life[] {
	const seen = lives.filter((life) => (life.begin ?? -Infinity) < to && (life.end ?? Infinity) >= from);
	const time = (life: Life): number => life.begin ?? -Infinity;
	const children = new Map<Life | null, Life[]>(), byPid = new Map<number, Life[]>();
	for (const life of seen)
		byPid.set(life.pid, [...byPid.get(life.pid) ?? [], life]);
	for (const life of seen) {
		const parent = (byPid.get(life.parent) ?? []).filter((other) => other !== life && time(other) <= time(life) && (other.end ?? Infinity) >= time(life)).pop() ?? null;
		children.set(parent, [...children.get(parent) ?? [], life]);
	}
	const ordered: Life[] = [], visited = new Set<Life>();
	const waiting: { life: Life; depth: number }[] = [];
	const push = (list: Life[], depth: number): void => {
		for (const life of [...list].sort((a, b) => time(b) - time(a) || b.pid - a.pid))
			waiting.push({ life, depth });
	};
	push(children.get(null) ?? [], 0);
	for (let next = waiting.pop(); next; next = waiting.pop()) {
		if (visited.has(next.life))
			continue;
		visited.add(next.life);
		ordered.push({ ...next.life, depth: next.depth });
		push(children.get(next.life) ?? [], next.depth + 1);
	}
	return ordered;
}

/*
 * Rows for more lives than there is room for: a row is used again when its last
 * life has ended, and `gap` ms (of a name) have passed.  By life, its row.
 */
export function lanes(lives: readonly Life[], gap: number): { rows: number[]; count: number } {
	const rows = new Array<number>(lives.length).fill(0), ends: number[] = [];
	const order = lives.map((_, i) => i).sort((a, b) => (lives[a].begin ?? -Infinity) - (lives[b].begin ?? -Infinity) || a - b);
	for (const i of order) {
		const begin = lives[i].begin ?? -Infinity;
		const free = ends.findIndex((end) => end + gap <= begin), row = free < 0 ? ends.length : free;
		rows[i] = row;
		ends[row] = lives[i].end ?? Infinity;
	}
	return { rows, count: ends.length };
}
