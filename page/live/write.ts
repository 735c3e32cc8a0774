// SPDX-License-Identifier: Apache-2.0
/* A program of one's own: the editor, and what starts it. */

import { button, element, setText } from "../common/dom";
import { visible } from "../common/text";
import { api, ApiError, wordsOf } from "./api";
import { Editor } from "./editor";
import { Request } from "./types";

const EXAMPLES: [string, string][] = [
	["System calls by program", "syscall:::entry\n{\n\t@calls[execname] = count();\n}\n"],
	["Read latency", "syscall::read:entry\n{\n\tself->begin = timestamp;\n}\n\nsyscall::read:return\n/self->begin/\n{\n\t@latency[execname] = quantize(timestamp - self->begin);\n\tself->begin = 0;\n}\n"],
	["What the kernel does", "profile-97hz\n{\n\t@kernel[execname, stack()] = count();\n}\n"],
	["Programs that start", "proc:::exec-success\n{\n\tprintf(\"%s\", curpsinfo->pr_psargs);\n}\n"],
];

export interface WriteWishes {
	changed(program: string): void;
	start(request: Request): Promise<void>;
	back(): void;
}

export class WritePage {
	readonly element: HTMLElement;
	private readonly editor: Editor;
	private readonly problem = element("div", { class: "problem", role: "alert", hidden: "" });
	private readonly start: HTMLButtonElement;
	private readonly pid = element("input", { type: "number", min: "0", placeholder: "none", "aria-label": "process for $target" });

	constructor(program: string, pid: number, private readonly wishes: WriteWishes) {
		this.editor = new Editor({
			changed: (text) => wishes.changed(text), check: (text) => api.check(text),
			complete: (text, cursor) => api.complete(text, cursor), submit: () => void this.submit(),
		});
		this.start = button("Start", "Ctrl-Enter", () => void this.submit());
		this.start.classList.add("main-act");
		if (pid)
			this.pid.value = String(pid);
		const examples = element("div", { class: "choices" }, "Begin with: ", ...EXAMPLES.map(([title, text]) => button(title, text, () => {
			this.editor.text = text;
			wishes.changed(text);
			this.editor.focus();
		})));
		this.element = element("main", { class: "write" },
			element("div", { class: "start-head" }, button("←", "back", () => wishes.back()), element("h1", {}, "A program in D")),
			examples, this.editor.element,
			element("div", { class: "choices" }, this.start, element("label", {}, "Process for $target ", this.pid),
				element("span", { class: "quiet" }, "Ctrl-Space completes probes, types and members; Ctrl-Enter starts.")), this.problem);
		this.editor.text = program;
	}

	focus(): void {
		this.editor.focus();
	}

	private async submit(): Promise<void> {
		if (!this.editor.text.trim())
			return;
		this.start.disabled = true;
		this.problem.hidden = true;
		try {
			await this.wishes.start({ program: this.editor.text, pid: Number(this.pid.value) || null });
		} catch (error) {
			this.problem.hidden = false;
			const failure = error instanceof ApiError ? error.failure : null;
			if (failure?.complaints?.length)
				this.editor.show(failure.complaints);
			this.problem.replaceChildren(element("p", {}, wordsOf(error)), ...(failure?.excerpt ? [element("pre", {}, failure.excerpt.split("\n").map(visible).join("\n"))] : []));
		} finally {
			this.start.disabled = false;
		}
	}

	/* A program that was refused after it was started. */
	complain(text: string): void {
		this.problem.hidden = false;
		setText(this.problem, text);
	}
}
