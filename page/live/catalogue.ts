// SPDX-License-Identifier: Apache-2.0
/* Which metrics a page of the start shows: by entry, module and search. */

import { Entry, Metric, Metrics, Module, Preset, Process } from "./types";

export interface Shelf {
	module: Module;
	metrics: Metric[];
	available: number;
}

const FIRST = ["program.oncpu", "program.offcpu"];

/* Modules of an entry that have something; what can be asked in most ways comes first, what cannot be asked last. */
export function shelvesOf({ modules, metrics }: Metrics, entry: Entry, search = ""): Shelf[] {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	const fits = ({ name, title, about, presets }: Metric): boolean => {
		const text = [name, title, about, ...presets.map((preset) => preset.title)].join(" ").toLowerCase();
		return words.every((word) => text.includes(word));
	};
	return modules.map((module) => {
		const own = metrics.filter((metric) => metric.module === module.name && metric.entry === entry && fits(metric))
			.sort((a, b) => Number(b.available) - Number(a.available) || Number(FIRST.includes(b.name)) - Number(FIRST.includes(a.name)) || b.presets.length - a.presets.length);
		return { module, metrics: own, available: own.filter(({ available }) => available).length };
	}).filter((shelf) => shelf.metrics.length).sort((a, b) => Number(b.available > 0) - Number(a.available > 0));
}

/* Kinds of services that run, with their processes, the oldest first. */
export function servicesOf(processes: readonly Process[]): Map<string, Process[]> {
	const services = new Map<string, Process[]>();
	for (const process of [...processes].sort((a, b) => a.pid - b.pid))
		if (process.service)
			services.set(process.service, [...services.get(process.service) ?? [], process]);
	return services;
}

/* What people ask first, if it can be asked here. */
const OFTEN: [string, number][] = [["fs.operations", 0], ["cpu.utilization", 0], ["cpu.samples", 0], ["disk.io", 0], ["syscall.calls", 0], ["sched.runq", 0], ["proc.lives", 0]];

export function often({ metrics }: Metrics): { metric: Metric; preset: Preset }[] {
	return OFTEN.flatMap(([wanted, place]) => {
		const metric = metrics.find(({ name, available, needs_pid }) => name === wanted && available && !needs_pid);
		return metric?.presets[place] ? [{ metric, preset: metric.presets[place] }] : [];
	});
}

const OTHER_NAMES: Record<string, string> = { mariadb: "mysql" };

/* The module with the metrics of a service; "": there is none. */
export function moduleOf({ metrics }: Metrics, service: string): string {
	return [service, OTHER_NAMES[service]].find((name) => metrics.some(({ module }) => module === name)) ?? "";
}

/* Busiest first; found by number, name, command or user. */
export function processesOf(processes: readonly Process[], search: string): Process[] {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	return processes.filter(({ pid, name, command, user }) => {
		const text = `${pid} ${name} ${command} ${user}`.toLowerCase();
		return words.every((word) => text.includes(word));
	}).sort((a, b) => b.cpu - a.cpu || b.rss - a.rss || a.pid - b.pid);
}
