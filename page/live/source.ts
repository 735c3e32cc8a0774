// SPDX-License-Identifier: Apache-2.0
/*
 * Where the store's contents come from: one stream of events of the server, and
 * everything that there was before, asked for when the stream begins.
 *
 * The stream is opened first and its events wait until the values are there, so
 * that nothing is missed between the two; what comes twice does no harm
 * (store.ts).  A gap, or a stream that was cut, means: ask again.
 */

import { api, ROOT, wordsOf } from "./api";
import { Store } from "./store";
import { ColumnEvent, Instrumentation, Line, SnapshotJson, StatusEvent, Annotation, Hosts } from "./types";

export type Link = "connecting" | "live" | "lost";

export interface Listener {
	link(link: Link, reason: string): void;
	restarted(): void;	/* it is another server than before */
}

const RETRY = 1000, MOST_RETRY = 10000;
/* The server says something each second. */
const SILENCE = 6000;

export class Source {
	private stream: EventSource | null = null;
	private epoch = "";
	private waiting: (() => void)[] | null = null;
	private readonly asking = new Set<number>();
	private retry = RETRY;
	private timer = 0;
	private heard = 0;

	constructor(private readonly store: Store, private readonly listener: Listener) {}

	start(): void {
		this.listener.link("connecting", "");
		this.open();
		setInterval(() => this.listen(), 1000);
	}

	/* A stream may die without saying so. */
	private listen(): void {
		if (this.stream && this.heard && Date.now() - this.heard > SILENCE && !document.hidden)
			this.lose("The server has said nothing for some seconds.");
	}

	private open(): void {
		const stream = new EventSource(ROOT + "events");
		this.stream = stream;
		this.waiting = [];
		this.heard = Date.now();
		const on = <Event>(name: string, act: (event: Event) => void): void =>
			stream.addEventListener(name, (message) => {
				if (this.stream !== stream)
					return;
				this.heard = Date.now();
				const event = JSON.parse((message as MessageEvent<string>).data || "{}") as Event;
				if (this.waiting)
					this.waiting.push(() => act(event));
				else
					act(event);
			});
		on<ColumnEvent>("column", (event) => this.column(event));
		on<{ id: number; lines: Line[] }>("log", ({ id, lines }) => this.store.log(id, lines));
		on<StatusEvent>("status", (event) => this.store.tick(event));
		on<Instrumentation>("state", (event) => this.state(event));
		on<Hosts>("hosts", (event) => this.store.setHosts(event));
		on<{ id: number }>("gone", ({ id }) => this.store.gone(id));
		on<Annotation>("annotation", (event) => this.store.annotate(event));
		on<{ n: number }>("unannotated", ({ n }) => this.store.unannotate(n));
		stream.addEventListener("behind", () => this.lose("This page was too slow for the server; it begins again.", true));
		stream.addEventListener("open", () => void this.begin(stream));
		stream.addEventListener("error", () => {
			if (this.stream === stream)
				this.lose("The connection to the server is lost.");
		});
	}

	/* Everything that was before the first event. */
	private async begin(stream: EventSource): Promise<void> {
		try {
			const [status, list, annotations] = [await api.status(), await api.list(), await api.annotations()];
			const isOther = this.epoch !== "" && status.epoch !== this.epoch;
			this.epoch = status.epoch;
			this.store.setStatus(status);
			this.store.keep(isOther ? [] : list.map(({ id }) => id));
			for (const info of list)
				this.store.describe(info);
			if (status.fleet)
				this.store.setHosts(await api.hosts());
			this.store.annotations = [];
			for (const annotation of annotations)
				this.store.annotate(annotation);
			for (const { id } of list)
				this.store.fill(id, await api.values(id));
			if (this.stream !== stream)
				return;
			const waiting = this.waiting ?? [];
			this.waiting = null;
			for (const act of waiting)
				act();
			this.retry = RETRY;
			this.listener.link("live", "");
			if (isOther)
				this.listener.restarted();
		} catch (error) {
			if (this.stream === stream)
				this.lose(wordsOf(error));
		}
	}

	private lose(reason: string, isQuick = false): void {
		this.stream?.close();
		this.stream = null;
		this.waiting = null;
		this.listener.link("lost", reason);
		clearTimeout(this.timer);
		this.timer = window.setTimeout(() => this.open(), isQuick ? 200 : this.retry);
		this.retry = Math.min(this.retry * 1.5, MOST_RETRY);
	}

	private column(event: ColumnEvent): void {
		if (!this.store.column(event))
			void this.resync(event.id);
	}

	private state(info: Instrumentation): void {
		const isNew = !this.store.instruments.has(info.id);
		this.store.describe(info);
		if (isNew)
			void this.resync(info.id);
	}

	/* All of one instrumentation again. */
	private async resync(id: number): Promise<void> {
		if (this.asking.has(id) || !this.store.instruments.has(id))
			return;
		this.asking.add(id);
		try {
			this.store.fill(id, await api.values(id));
		} catch (error) {
			console.info(`values of ${id}: ${wordsOf(error)}`);
		} finally {
			this.asking.delete(id);
		}
	}
}

/* Without a server: what the file has inside. */
export function fillFrom(store: Store, snapshot: SnapshotJson): void {
	for (const info of snapshot.instrumentations) {
		store.describe(info);
		const values = snapshot.values[String(info.id)];
		if (values)
			store.fill(info.id, values);
	}
	for (const annotation of snapshot.annotations ?? [])
		store.annotate(annotation);
	store.setStatus(snapshot.status);
}
