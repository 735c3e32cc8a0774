// SPDX-License-Identifier: Apache-2.0
/*
 * The script in a flame graph that is an SVG (src/view/write_flame_svg.c).
 *
 * The picture is complete without it.  It adds a line that describes the box
 * under the pointer or the keyboard, zoom, a search, and a URL that keeps both.
 * All it knows is in the elements: a <g> has <title>, <rect> and <text>.
 *
 * One box at a time can be reached by Tab; arrow keys move from there, as
 * pages for many alike elements do (a roving tabindex).
 */

import { pattern } from "./flame/search";
import { Box, Direction, label, matches, neighbour, place, sentence, share } from "./flame_svg/model";

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const FOUND = "rgb(230,0,230)";
const ANCESTOR = "#d0d0d0";
const TEXT_PAD = 3;

interface Drawn extends Box {
	group: SVGGElement;
	rect: Element;
	text: Element;
	fill: string;
	numbers: string;	/* " (12 samples, 3.45%)" */
	isShown: boolean;
	isBelow: boolean;	/* the chosen one is on it */
	isFound: boolean;
}

const svg = document.documentElement;
const pad = Number(svg.getAttribute("data-pad")), charWidth = Number(svg.getAttribute("data-char"));
const width = Number(svg.getAttribute("width")), footer = Number(svg.getAttribute("data-footer"));
const MATCHED = 130;	/* pixels for what a search has found */

/* The root is the first; its row is the nearest to its edge. */
function readBoxes(): Drawn[] {
	let first: number | null = null, rowHeight = 16;
	return Array.from(document.querySelectorAll<SVGGElement>("#frames > g"), (group) => {
		const [title, rect, text] = Array.from(group.children);
		const value = (name: string): number => Number(rect.getAttribute(name));
		if (first === null) {
			first = value("y");
			rowHeight = value("height") + 1;
		}
		const words = title.textContent ?? "", end = words.lastIndexOf(" (");
		return { group, rect, text, name: words.slice(0, end), numbers: words.slice(end),
			fill: rect.getAttribute("fill") ?? "", left: value("x"), width: value("width"),
			row: Math.round(Math.abs(value("y") - first) / rowHeight), isShown: true, isBelow: false, isFound: false };
	});
}

function word(text: string, x: number, y: number, anchor: string): SVGTextElement {
	const element = document.createElementNS(SVG, "text") as SVGTextElement;
	element.setAttribute("x", String(x));
	element.setAttribute("y", String(y));
	element.setAttribute("text-anchor", anchor);
	element.textContent = text;
	svg.append(element);
	return element;
}

function button(element: SVGTextElement, act: () => void): void {
	element.setAttribute("tabindex", "0");
	element.setAttribute("role", "button");
	element.style.cursor = "pointer";
	element.addEventListener("click", act);
	element.addEventListener("keydown", (event) => {
		if (event.key === "Enter" || event.key === " ")
			act();
	});
}

class Picture {
	private readonly boxes = readBoxes();
	private readonly byGroup = new Map(this.boxes.map((box) => [box.group as Element, box]));
	private readonly root = this.boxes[0];
	private readonly details = word("", pad, footer, "start");
	private readonly reset = word("Reset zoom", pad, 24, "start");
	private readonly matched = word("", width - pad, footer, "end");
	private readonly input = document.createElementNS(HTML, "input") as HTMLInputElement;
	private readonly ring = document.createElementNS(SVG, "rect");
	private readonly isIcicle = this.boxes.some((box) => Number(box.rect.getAttribute("y")) > Number(this.root.rect.getAttribute("y")));
	private chosen = this.root;
	private current = this.root;	/* where the keyboard is */

	constructor() {
		this.details.id = "details";
		this.matched.id = "matched";
		this.matched.setAttribute("role", "status");
		this.reset.id = "reset";
		button(this.reset, () => {
			this.zoom(this.root);
			this.focus(this.root);
		});
		this.ring.id = "ring";
		svg.append(this.ring);
		this.addSearch();
		svg.addEventListener("mouseover", (event) => this.describe(this.boxAt(event)));
		svg.addEventListener("mouseleave", () => this.describe());
		svg.addEventListener("click", (event) => {
			const box = this.boxAt(event);
			if (box)
				this.zoom(box);
		});
		svg.addEventListener("focusin", () => this.mark());
		svg.addEventListener("focusout", () => this.mark());
		addEventListener("keydown", (event) => this.key(event));
		for (const box of this.boxes) {
			box.group.setAttribute("role", "button");
			box.group.setAttribute("tabindex", box === this.root ? "0" : "-1");
		}
		this.restore();
	}

	private addSearch(): void {
		const frame = document.createElementNS(SVG, "foreignObject");
		for (const [name, value] of Object.entries({ x: width - pad - 180, y: 6, width: 180, height: 28 }))
			frame.setAttribute(name, String(value));
		this.input.type = "search";
		this.input.id = "search";
		this.input.placeholder = "Search (Ctrl-F)";
		this.input.setAttribute("aria-label", "Search, regular expression");
		this.input.addEventListener("input", () => this.search());
		frame.append(this.input);
		svg.append(frame);
	}

	private boxAt(event: Event): Drawn | undefined {
		const group = (event.target as Element).closest("#frames > g");
		return group ? this.byGroup.get(group) : undefined;
	}

	/* Without a box: the one that the keyboard is on, if any. */
	private describe(box: Drawn | undefined = this.focused()): void {
		this.details.textContent = box ? sentence(box.name, box.numbers, width - 2 * pad - MATCHED, charWidth) : "";
	}

	private focused(): Drawn | undefined {
		return document.activeElement ? this.byGroup.get(document.activeElement) : undefined;
	}

	private focus(box: Drawn): void {
		this.current.group.setAttribute("tabindex", "-1");
		this.current = box;
		box.group.setAttribute("tabindex", "0");
		box.group.focus();
		this.mark();
	}

	/* A frame around the box that has the focus, on top of its neighbours. */
	private mark(): void {
		const box = this.focused();
		this.ring.style.display = box ? "" : "none";
		for (const name of box ? ["x", "y", "width", "height"] : [])
			this.ring.setAttribute(name, box!.rect.getAttribute(name)!);
		this.describe();
	}

	private key(event: KeyboardEvent): void {
		const isTyping = event.target === this.input;
		const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
		/* a second Ctrl-F is the browser's own */
		if (isFind && !isTyping || event.key === "/" && !isTyping) {
			this.input.focus();
			this.input.select();
			event.preventDefault();
		} else if (event.key === "Escape") {
			this.escape();
		} else if (isTyping && event.key === "Enter") {
			this.next(1, this.root);
		} else if (!isTyping && !event.ctrlKey && !event.altKey && !event.metaKey && this.boxKey(event.key)) {
			event.preventDefault();
		}
	}

	/* The search first, then the zoom. */
	private escape(): void {
		if (this.input.value) {
			this.input.value = "";
			this.search();
		} else {
			this.zoom(this.root);
		}
		this.focus(this.current.isShown ? this.current : this.chosen);
	}

	/* A key for a box; false: it has no meaning there. */
	private boxKey(key: string): boolean {
		const box = this.focused();
		const directions: Record<string, Direction> = {
			ArrowUp: this.isIcicle ? "caller" : "callee", ArrowDown: this.isIcicle ? "callee" : "caller",
			ArrowLeft: "left", ArrowRight: "right",
		};
		if (key === "n" || key === "N") {
			this.next(key === "n" ? 1 : -1, box ?? this.root);
			return true;
		}
		if (!box)
			return false;
		if (key === "Enter" || key === " ")
			this.zoom(box);
		else if (key === "Home")
			this.focus(this.root);
		else if (Object.prototype.hasOwnProperty.call(directions, key))
			this.focus(neighbour(this.boxes.filter((other) => other.isShown), box, directions[key]) ?? box);
		else
			return false;
		return true;
	}

	/* To the next box that a search has found. */
	private next(step: number, from: Drawn): void {
		const { boxes } = this, start = boxes.indexOf(from);
		for (let i = 1; i <= boxes.length; i++) {
			const box = boxes[(start + step * i + 2 * boxes.length) % boxes.length];
			if (box.isFound && box.isShown)
				return this.focus(box);
		}
	}

	private zoom(chosen: Drawn): void {
		this.chosen = chosen;
		this.reset.style.display = chosen === this.root ? "none" : "";
		for (const box of this.boxes) {
			const at = place(box, chosen, this.root);
			box.isShown = at !== null;
			box.isBelow = at !== null && at.isBelow;
			box.group.style.display = at ? "" : "none";
			if (!at)
				continue;
			box.rect.setAttribute("x", String(at.left));
			box.rect.setAttribute("width", String(at.width));
			box.text.setAttribute("x", String(at.left + TEXT_PAD));
			box.text.textContent = label(box.name, at.width, charWidth, TEXT_PAD);
			this.paint(box);
		}
		if (!this.current.isShown) {
			this.current.group.setAttribute("tabindex", "-1");
			this.current = chosen;
			chosen.group.setAttribute("tabindex", "0");
		}
		this.mark();
		this.save();
	}

	private paint(box: Drawn): void {
		box.rect.setAttribute("fill", box.isFound ? FOUND : box.isBelow ? ANCESTOR : box.fill);
	}

	private search(): void {
		const wanted = this.input.value ? pattern(this.input.value) : null;
		for (const box of this.boxes) {
			box.isFound = wanted !== null && box !== this.root && matches(box, wanted);
			this.paint(box);
		}
		const found = this.boxes.filter((box) => box.isFound);
		this.matched.textContent = wanted ? `Matched: ${(share(found, this.root) * 100).toFixed(1)}%` : "";
		this.save();
	}

	/* In the URL: the number of the box, and what is searched for. */
	private save(): void {
		const state = new URLSearchParams();
		if (this.chosen !== this.root)
			state.set("box", String(this.boxes.indexOf(this.chosen)));
		if (this.input.value)
			state.set("search", this.input.value);
		history.replaceState(null, "", "#" + state.toString());
	}

	private restore(): void {
		const state = new URLSearchParams(location.hash.slice(1));
		const box = this.boxes[Number(state.get("box") ?? 0)] ?? this.root;
		this.input.value = state.get("search") ?? "";
		this.zoom(box);
		this.search();
	}
}

if (document.querySelector("#frames > g"))
	new Picture();
