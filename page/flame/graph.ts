// SPDX-License-Identifier: Apache-2.0
/*
 * The flame graph as an element: it scrolls, it shows which frame the mouse is
 * on and which one the keyboard is on, and it tells what the user wants.
 *
 * The canvas is as large as the window, however deep the stacks are; it stays
 * in place while a tall element scrolls behind it, and is drawn anew.
 */

import { element } from "../common/dom";
import { Canvas, ROW, Scene } from "./canvas";
import { Box, BoxIndex, layOut, Part, rowOf } from "./layout";

export interface Place {
	part: number;
	node: number;
}

export interface Wishes {
	zoom(place: Place): void;
	select(place: Place): void;
	hover(place: Place | null, x: number, y: number): void;
	sandwich(place: Place): void;
	key(event: KeyboardEvent): void;	/* one that is not about a frame */
}

const HELP = "Arrow keys move among frames, Enter zooms, Escape resets, slash searches, n goes to the next match, s shows callers and callees.";

export class Graph {
	readonly element: HTMLElement;
	selected: Place = { part: 0, node: 0 };
	private readonly canvas = new Canvas();
	private readonly content: HTMLElement;
	private readonly hoverMark = element("div", { class: "hover", hidden: "" });
	private readonly focusMark = element("div", { class: "focus", hidden: "" });
	private scene: Scene | null = null;
	private index = new BoxIndex([]);
	private least = 0.5;
	private isWaiting = false;
	private isPrinting = false;

	constructor(private readonly wishes: Wishes) {
		this.content = element("div", { class: "content" }, this.canvas.element, this.hoverMark, this.focusMark);
		this.element = element("div", {
			class: "graph", tabindex: "0", role: "application", "aria-roledescription": "flame graph",
			"aria-label": HELP,
		}, this.content);
		this.element.addEventListener("scroll", () => this.drawSoon());
		this.element.addEventListener("mousemove", (event) => this.hover(event));
		this.element.addEventListener("mouseleave", () => this.leave());
		this.element.addEventListener("click", (event) => this.click(event));
		this.element.addEventListener("keydown", (event) => this.keyDown(event));
		new ResizeObserver(() => this.drawSoon()).observe(this.element);
	}

	/* Draws at once; `isNew`: the user should be taken to its beginning. */
	show(scene: Scene, least: number, isNew: boolean): void {
		this.scene = scene;
		this.least = least;
		if (!this.partOf(this.selected) || this.selected.node >= this.partOf(this.selected)!.tree.length)
			this.selected = this.root();
		this.content.style.height = `${scene.picture.rows * ROW}px`;
		if (isNew)
			this.toBeginning();
		this.draw();
	}

	/* Everything at once, for paper. */
	print(isPrinting: boolean): void {
		this.isPrinting = isPrinting;
		this.draw();
	}

	/* The function that the picture is about, or "all". */
	root(): Place {
		return { part: (this.scene?.picture.parts.length ?? 1) - 1, node: 0 };
	}

	select(place: Place): void {
		this.selected = place;
		const { scrollTop, clientHeight } = this.element;
		const top = this.margin() + this.rowOf(place) * ROW;
		if (top < scrollTop || top + ROW > scrollTop + clientHeight) {
			this.element.scrollTop = top < scrollTop ? top : top + ROW - clientHeight;
			this.draw();
		} else {
			this.markSelected();
		}
		this.wishes.select(place);
	}

	private partOf(place: Place): Part | undefined {
		return this.scene?.picture.parts[place.part];
	}

	private rowOf({ part, node }: Place): number {
		const picture = this.scene!.picture;
		return rowOf(picture, part, picture.parts[part].tree.depth[node]);
	}

	/* Above a picture that is lower than the window: a flame stands on the ground. */
	private margin(): number {
		const parts = this.scene?.picture.parts;
		return parts && parts.length === 1 && parts[0].grows === "up" && !this.isPrinting
			? Math.max(0, this.element.clientHeight - this.scene!.picture.rows * ROW) : 0;
	}

	private toBeginning(): void {
		const { parts } = this.scene!.picture;
		const part = parts.length - 1;
		const y = this.rowOf({ part, node: parts[part].zoom }) * ROW, height = this.element.clientHeight;
		if (parts.length > 1)
			this.element.scrollTop = y - height / 2;
		else if (parts[0].grows === "down")
			this.element.scrollTop = Math.max(0, y + 2 * ROW - height);
		else
			this.element.scrollTop = Math.min(y - ROW, this.scene!.picture.rows * ROW - height);
	}

	private drawSoon(): void {
		if (this.isWaiting)
			return;
		this.isWaiting = true;
		requestAnimationFrame(() => {
			this.isWaiting = false;
			this.draw();
		});
	}

	private draw(): void {
		if (!this.scene)
			return;
		const { picture } = this.scene;
		const width = this.element.clientWidth;
		const height = this.isPrinting ? picture.rows * ROW : this.element.clientHeight;
		const top = this.isPrinting ? 0 : this.margin() - this.element.scrollTop;
		/* a row more on both sides, for the arrow keys */
		const firstRow = Math.floor(-top / ROW) - 1, lastRow = Math.ceil((height - top) / ROW) + 1;
		const layout = layOut(picture, { width, firstRow, lastRow, least: this.least });
		this.canvas.resize(width, height);
		this.canvas.draw(this.scene, layout, top);
		this.index = new BoxIndex(layout.boxes);
		this.markSelected();
	}

	private markSelected(): void {
		this.mark(this.focusMark, this.index.find(this.selected.part, this.selected.node));
	}

	private mark(mark: HTMLElement, box: Box | null): void {
		mark.hidden = !box;
		if (!box)
			return;
		mark.style.left = `${box.x}px`;
		mark.style.top = `${this.margin() + box.row * ROW}px`;
		mark.style.width = `${Math.max(box.width, 2)}px`;
		mark.style.height = `${ROW - 1}px`;
	}

	private boxAt(event: MouseEvent): Box | null {
		const area = this.element.getBoundingClientRect();
		const y = event.clientY - area.top + this.element.scrollTop - this.margin();
		return this.index.at(Math.floor(y / ROW), event.clientX - area.left);
	}

	private hover(event: MouseEvent): void {
		const box = this.boxAt(event);
		this.mark(this.hoverMark, box);
		this.wishes.hover(box, event.clientX, event.clientY);
	}

	private leave(): void {
		this.mark(this.hoverMark, null);
		this.wishes.hover(null, 0, 0);
	}

	private click(event: MouseEvent): void {
		const box = this.boxAt(event);
		if (!box)
			return;
		this.leave();
		this.select({ part: box.part, node: box.node });
		if (event.shiftKey)
			this.wishes.sandwich(this.selected);
		else
			this.wishes.zoom(this.selected);
	}

	/* Of the frames that `place` leads to, the widest: along the hot path. */
	private widestChild({ part, node }: Place): Place | null {
		const tree = this.partOf({ part, node })?.tree;
		let widest: Place | null = null;
		for (let child = node + 1; tree && child < tree.end[node]; child = tree.end[child])
			if (!widest || tree.width[child] > tree.width[widest.node])
				widest = { part, node: child };
		return widest;
	}

	private parent({ part, node }: Place): Place | null {
		const { tree, hidesRoot } = this.partOf({ part, node })!;
		const parent = tree.parent[node];
		return parent < 0 ? null : parent === 0 && hidesRoot ? this.root() : { part, node: parent };
	}

	private vertical(direction: "up" | "down"): Place | null {
		const place = this.selected, { grows } = this.partOf(place)!;
		if (grows === direction)
			return this.widestChild(place);
		return this.parent(place) ?? (this.scene!.picture.parts.length > 1 ? this.widestChild({ part: 0, node: 0 }) : null);
	}

	private horizontal(step: number): Place | null {
		const row = this.index.row(this.rowOf(this.selected));
		const at = row.findIndex((box) => box.part === this.selected.part && box.node === this.selected.node);
		return at < 0 ? null : row[at + step] ?? null;
	}

	private keyDown(event: KeyboardEvent): void {
		const moves: Record<string, () => Place | null> = {
			ArrowUp: () => this.vertical("up"), ArrowDown: () => this.vertical("down"),
			ArrowLeft: () => this.horizontal(-1), ArrowRight: () => this.horizontal(1), Home: () => this.root(),
		};
		const move = Object.prototype.hasOwnProperty.call(moves, event.key) ? moves[event.key] : undefined;
		if (event.ctrlKey || event.altKey || event.metaKey || !this.scene)
			return;
		if (move) {
			const place = move();
			if (place)
				this.select({ part: place.part, node: place.node });
		} else if (event.key === "Enter" || event.key === " ") {
			this.wishes.zoom(this.selected);
		} else if (event.key === "s") {
			this.wishes.sandwich(this.selected);
		} else {
			this.wishes.key(event);
			return;
		}
		event.preventDefault();
	}
}
