// SPDX-License-Identifier: Apache-2.0
/*
 * An editor for D: a plain text field, which browsers and their users know, over
 * the same text in colours.  What the compiler complains about is underlined and
 * listed; Ctrl-Space, or just typing, offers how a word could go on.
 */

import { element, setText } from "../common/dom";
import { visible } from "../common/text";
import { bytesOf, marked, piecesOf, placeOfByte, spanOf } from "./highlight";
import { Candidate, Complaint } from "./types";

export interface EditorWishes {
	changed(text: string): void;
	check(text: string): Promise<Complaint[]>;
	complete(text: string, cursor: number): Promise<Candidate[]>;
	submit(): void;
}

const CHECK_AFTER = 400, COMPLETE_AFTER = 120, MOST = 100;

export class Editor {
	readonly element: HTMLElement;
	private readonly area = element("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": "D program", wrap: "off", rows: "14" });
	private readonly under = element("pre", { class: "under", "aria-hidden": "true" });
	private readonly popup = element("ul", { class: "popup", role: "listbox", "aria-label": "completions", hidden: "" });
	private readonly list = element("ul", { class: "complaints", "aria-live": "polite", "aria-label": "complaints of the compiler" });
	private readonly verdict = element("span", { class: "quiet", role: "status" });
	private complaints: Complaint[] = [];
	private candidates: Candidate[] = [];
	private chosen = 0;
	private isAsked = false;	/* completions were asked for, or chosen from */
	private checkTimer = 0;
	private completeTimer = 0;
	private turn = 0;

	constructor(private readonly wishes: EditorWishes) {
		this.popup.id = "completions";
		this.area.setAttribute("aria-controls", this.popup.id);
		this.area.setAttribute("aria-autocomplete", "list");
		const box = element("div", { class: "editor-box" }, this.under, this.area, this.popup);
		this.element = element("div", { class: "editor" }, box, element("div", { class: "choices" }, this.verdict), this.list);
		this.area.addEventListener("input", () => this.typed());
		this.area.addEventListener("scroll", () => this.follow());
		this.area.addEventListener("keydown", (event) => this.key(event));
		this.area.addEventListener("blur", () => this.close());
		this.area.addEventListener("click", () => this.close());
		this.draw();
	}

	get text(): string {
		return this.area.value;
	}

	set text(text: string) {
		this.area.value = text;
		this.complaints = [];
		this.draw();
		this.checkSoon();
	}

	set isReadOnly(is: boolean) {
		this.area.readOnly = is;
	}

	focus(): void {
		this.area.focus();
	}

	private typed(): void {
		this.complaints = [];
		this.list.classList.add("old");
		this.draw();
		this.wishes.changed(this.text);
		this.checkSoon();
		window.clearTimeout(this.completeTimer);
		const before = this.text.slice(0, this.area.selectionStart);
		if (/[\w:.>`$@-]$/.test(before))
			this.completeTimer = window.setTimeout(() => void this.complete(false), COMPLETE_AFTER);
		else
			this.close();
	}

	private follow(): void {
		this.under.scrollTop = this.area.scrollTop;
		this.under.scrollLeft = this.area.scrollLeft;
	}

	private draw(): void {
		const spans = this.complaints.map((complaint) => spanOf(this.text, complaint));
		this.under.replaceChildren(...marked(piecesOf(this.text), spans).map(({ kind, text, isMarked }) =>
			kind === "plain" && !isMarked ? text : element("span", { class: `d-${kind}${isMarked ? " wrong" : ""}` }, text)), "\n");
		this.follow();
	}

	/* ------------------------------------------------------- complaints */

	private checkSoon(): void {
		window.clearTimeout(this.checkTimer);
		this.checkTimer = window.setTimeout(() => void this.check(), CHECK_AFTER);
	}

	private async check(): Promise<void> {
		const { text } = this, turn = ++this.turn;
		if (!text.trim()) {
			this.list.replaceChildren();
			setText(this.verdict, "");
			return;
		}
		try {
			const complaints = await this.wishes.check(text);
			if (turn === this.turn && text === this.text)
				this.show(complaints);
		} catch (error) {
			setText(this.verdict, error instanceof Error ? error.message : String(error));
		}
	}

	/* Also those of a program that could not be started. */
	show(complaints: Complaint[]): void {
		this.complaints = complaints;
		setText(this.verdict, complaints.length ? "" : "The compiler has no complaints.");
		this.area.setAttribute("aria-invalid", String(complaints.length > 0));
		this.draw();
		this.list.classList.remove("old");
		this.list.replaceChildren(...complaints.map((complaint) => {
			const { line, column, message, hint, doubt } = complaint;
			const go = element("button", { type: "button", title: "go there" }, `${line}:${column + 1}`);
			go.addEventListener("click", () => {
				const { start, end } = spanOf(this.text, complaint);
				this.area.focus();
				this.area.setSelectionRange(start, end);
			});
			return element("li", { class: doubt ? "doubt" : "" }, go, " ", visible(message), ...(hint ? [element("span", { class: "quiet" }, ` ${visible(hint)}`)] : []));
		}));
	}

	/* ------------------------------------------------------- completion */

	private async complete(isAsked: boolean): Promise<void> {
		const { text } = this, cursor = this.area.selectionStart;
		try {
			const found = await this.wishes.complete(text, bytesOf(text.slice(0, cursor)));
			if (text !== this.text || cursor !== this.area.selectionStart || document.activeElement !== this.area)
				return;
			/* nothing to say if the one thing to offer is there already */
			const isThere = found.length === 1 && text.slice(placeOfByte(text, found[0].start), cursor) === found[0].text && !found[0].after;
			this.candidates = isThere ? [] : [...found].sort((a, b) => a.text < b.text ? -1 : 1).slice(0, MOST);
		} catch {
			this.candidates = [];
		}
		this.chosen = 0;
		this.isAsked = isAsked;
		this.open(isAsked);
	}

	private open(isAsked: boolean): void {
		this.popup.hidden = !this.candidates.length && !isAsked;
		if (this.popup.hidden)
			return this.close();
		this.popup.replaceChildren(...(this.candidates.length ? this.candidates.map(({ text, kind, detail, after }, i) => {
			const item = element("li", { role: "option", id: `completion-${i}` }, element("b", {}, visible(text) + (after ?? "")),
				element("span", { class: "quiet" }, ` ${detail ? visible(detail) : kind}`));
			item.addEventListener("mousedown", (event) => {
				event.preventDefault();
				this.chosen = i;
				this.insert();
			});
			return item;
		}) : [element("li", { class: "quiet" }, "nothing fits here")]));
		this.place();
		this.mark();
	}

	/* Below the cursor: where the same text ends that is under the field. */
	private place(): void {
		const probe = element("span", {}, "\u200b"), before = element("pre", { class: "under measure" }, this.text.slice(0, this.area.selectionStart), probe);
		this.under.after(before);
		const box = before.getBoundingClientRect(), at = probe.getBoundingClientRect();
		before.remove();
		this.popup.style.left = `${Math.max(0, Math.min(at.left - box.left - this.area.scrollLeft, this.area.clientWidth - 260))}px`;
		this.popup.style.top = `${at.bottom - box.top - this.area.scrollTop + 2}px`;
	}

	private mark(): void {
		[...this.popup.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.chosen)));
		this.area.setAttribute("aria-activedescendant", this.candidates.length ? `completion-${this.chosen}` : "");
		this.popup.children[this.chosen]?.scrollIntoView({ block: "nearest" });
	}

	private close(): void {
		this.popup.hidden = true;
		this.area.removeAttribute("aria-activedescendant");
	}

	private insert(): void {
		const candidate = this.candidates[this.chosen];
		if (!candidate)
			return;
		const { text } = this, start = placeOfByte(text, candidate.start), put = candidate.text + (candidate.after ?? "");
		this.area.setRangeText(put, start, this.area.selectionStart, "end");
		this.close();
		this.typed();
	}

	/* Has all of it been typed already?  Then Enter is the end of a line. */
	private isTyped(): boolean {
		const candidate = this.candidates[this.chosen], { text } = this;
		return !this.isAsked && text.slice(placeOfByte(text, candidate.start), this.area.selectionStart) === candidate.text;
	}

	private key(event: KeyboardEvent): void {
		event.stopPropagation();
		if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
			event.preventDefault();
			return this.wishes.submit();
		}
		if (event.ctrlKey && event.key === " ") {
			event.preventDefault();
			return void this.complete(true);
		}
		if (this.popup.hidden)
			return;
		const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
		const count = this.candidates.length;
		if (event.key in moves && count) {
			this.chosen = Math.abs(moves[event.key]) === 1 ? (this.chosen + moves[event.key] + count) % count
				: Math.max(0, Math.min(count - 1, this.chosen + moves[event.key]));
			this.isAsked = true;
			this.mark();
		} else if ((event.key === "Enter" || event.key === "Tab") && count && !this.isTyped()) {
			this.insert();
		} else if (event.key === "Escape") {
			this.close();
		} else {
			return;
		}
		event.preventDefault();
	}
}
