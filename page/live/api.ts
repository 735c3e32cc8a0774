// SPDX-License-Identifier: Apache-2.0
/* Requests to the server that this page came from. */

import { Candidate, Complaint, Failure, Hosts, HostState, Instrumentation, Metrics, Share, Process, Request, ServerStatus, ValuesJson, Annotation } from "./types";

export const ROOT = "/api/1/";

export class ApiError extends Error {
	constructor(readonly status: number, readonly failure: Failure) {
		super(failure.message + (failure.hint ? ` (${failure.hint})` : ""));
	}
}

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
	const response = await fetch(ROOT + path, {
		method, credentials: "same-origin", cache: "no-store",
		...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
	});
	const text = await response.text();
	let answer: unknown = null;
	try {
		answer = text ? JSON.parse(text) : null;
	} catch {
		throw new ApiError(response.status, { message: `The server's answer to ${path} is damaged.` });
	}
	if (!response.ok) {
		const failure = (answer as { error?: Failure } | null)?.error;
		throw new ApiError(response.status, failure ?? { message: `The server said ${response.status} to ${path}.` });
	}
	return answer as Answer;
}

export const api = {
	status: () => ask<ServerStatus>("GET", "status"),
	metrics: () => ask<Metrics>("GET", "metrics"),
	processes: async () => (await ask<{ processes: Process[] }>("GET", "processes")).processes,
	list: async () => (await ask<{ instrumentations: Instrumentation[] }>("GET", "instrumentations")).instrumentations,
	annotations: async () => (await ask<{ annotations: Annotation[] }>("GET", "annotations")).annotations,
	values: (id: number) => ask<ValuesJson>("GET", `instrumentations/${id}/values`),
	create: (request: Request) => ask<Instrumentation>("POST", "instrumentations", request),
	change: (id: number, part: { pinned?: boolean; title?: string }) => ask<Instrumentation>("PATCH", `instrumentations/${id}`, part),
	stop: (id: number) => ask<unknown>("POST", `instrumentations/${id}/stop`, {}),
	remove: (id: number) => ask<unknown>("DELETE", `instrumentations/${id}`),
	annotate: (t: number, text: string) => ask<Annotation>("POST", "annotations", { t, text }),
	unannotate: (n: number) => ask<unknown>("DELETE", `annotations/${n}`),
	hosts: () => ask<Hosts>("GET", "hosts"),
	hostsOf: (id: number) => ask<{ hosts: HostState[]; said: { host?: string; text: string }[] }>("GET", `instrumentations/${id}/hosts`),
	who: ({ id, set, from, to, low, high }: Record<"id" | "set" | "from" | "to" | "low" | "high", number>) =>
		ask<Share>("GET", `instrumentations/${id}/who?set=${set}&from=${from}&to=${to}&low=${low}&high=${high}`),
	restore: () => ask<unknown>("POST", "restore", { all: true }),
	generate: async (request: Request) => (await ask<{ program: string }>("POST", "generate", request)).program,
	check: async (program: string) => (await ask<{ complaints: Complaint[] }>("POST", "check", { program })).complaints,
	complete: async (program: string, cursor: number) => (await ask<{ candidates: Candidate[] }>("POST", "complete", { program, cursor })).candidates,
};

export function recordingOf(id: number): string {
	return `${ROOT}instrumentations/${id}/recording`;
}

export const SNAPSHOT = ROOT + "snapshot";

export function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
