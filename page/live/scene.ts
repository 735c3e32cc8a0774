// SPDX-License-Identifier: Apache-2.0
/* What a view gets to draw, and what it may ask for. */

import { Times } from "./clock";
import { Counted, Instrument } from "./store";
import { Block, State } from "./state";
import { Annotation, Predicate, Request } from "./types";

export interface Wishes {
	change(part: Partial<Block>, isSmall?: boolean): void;
	moveTo(until: number): void;	/* the clock of all panels */
	point(t: number | null): void;	/* the time under the mouse, for all panels */
	instrument(request: Request): void;
	write(program: string): void;	/* in the editor */
}

export interface Scene {
	instrument: Instrument;
	set: Counted | null;		/* null: the log */
	times: Times;
	state: State;
	block: Block;
	isDark: boolean;
	isLive: boolean;
	isReadOnly: boolean;
	annotations: readonly Annotation[];
	wishes: Wishes;
}

export interface View {
	readonly element: HTMLElement;
	show(scene: Scene): void;
	point(t: number | null): void;
}

/* The same question with another condition, with stacks, or of other hosts. */
export function again({ info }: Instrument, change: { where?: Predicate | null; stacks?: boolean; hosts?: string; aggby?: string[] }): Request {
	const asked = info.metric ? { metric: info.metric, by: info.by, where: info.where, stacks: info.stacks, pid: info.pid ?? null } : { program: info.program };
	return { ...asked, ...(info.fleet ? { hosts: info.fleet.hosts, aggby: info.fleet.aggby } : {}), ...change };
}
