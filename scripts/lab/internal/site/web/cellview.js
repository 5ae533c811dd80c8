// One code cell of the page: its editor, its buttons, what it put out, and what is wrong
// in it.
import { Editor } from "./editor.js";
import { Outputs } from "./outputs.js";

export function button(text, title, press) {
	const b = document.createElement("button");
	b.type = "button";
	b.textContent = text;
	if (title) b.title = title;
	b.addEventListener("click", press);
	return b;
}

export class CellView {
	#editor; #section; #state; #advice; #problems; #reset; #undo; #was; // #was: what Undo puts back

	// cell is that of the notebook, section its place in the page; actions: {changed(view),
	// run(view, on), reset(view), undo(view), names(view)}, see Editor.
	constructor(cell, section, original, actions) {
		this.id = cell.id;
		this.original = original;
		this.score = null;
		const meta = cell.metadata?.nbgrader ?? {};
		this.points = meta.grade && !meta.solution ? Number(meta.points) || 0 : 0;
		this.exercise = meta.solution === true;
		this.locked = cell.metadata?.editable === false;
		this.raises = cell.metadata?.tags?.includes("raises-exception") === true;
		this.label = section.getAttribute("aria-label");
		this.#section = section;
		const host = section.querySelector(".in"), before = host.querySelector("pre");
		this.#editor = new Editor(host, {
			text: original, label: this.label + ", code", locked: this.locked,
			changed: () => {
				this.#reset.hidden = !this.changed;
				if (this.changed) this.#offerUndo(undefined); // it has been edited since
				actions.changed(this);
			}, run: (on) => actions.run(this, on),
			names: () => actions.names(this),
		});
		before.hidden = true;
		const tools = document.createElement("div");
		tools.className = "tools";
		const verb = this.points > 0 ? "Check" : "Run";
		this.run = button(verb, "Shift-Enter", () => actions.run(this, false));
		this.run.setAttribute("aria-label", verb + " " + this.label);
		this.run.className = "main";
		this.#reset = button("Reset", "Put back what the cell was handed out with", () => actions.reset(this));
		this.#reset.setAttribute("aria-label", "Reset " + this.label);
		this.#reset.hidden = true;
		this.#undo = button("Undo", "Put back what you had before the reset", () => actions.undo(this));
		this.#undo.setAttribute("aria-label", "Undo the reset of " + this.label);
		this.#undo.hidden = true;
		this.#state = document.createElement("span");
		this.#state.className = "state";
		tools.append(this.run, this.#reset, this.#undo, this.#state);
		this.#advice = document.createElement("p");
		this.#advice.className = "advice";
		this.#advice.hidden = true;
		this.#problems = document.createElement("div");
		this.#problems.className = "problems";
		this.#problems.hidden = true;
		let out = section.querySelector(".out");
		if (!out) {
			out = document.createElement("div");
			out.className = "out";
			out.hidden = true;
			host.after(out);
		}
		host.after(tools, this.#advice, this.#problems);
		out.setAttribute("role", "region");
		out.setAttribute("aria-label", "Output of " + this.label);
		out.tabIndex = -1;
		this.#out = out;
	}

	#out; #outputs;

	// outputs are made when the cell first runs: until then stands what the page came with.
	get outputs() { return (this.#outputs ??= new Outputs(this.#out)); }
	get savedOutputs() { return this.#outputs?.saved() ?? []; }

	get text() { return this.#editor.text; }
	set text(text) { this.#editor.text = text; }
	get changed() { return this.text !== this.original; }

	// reset puts back what was handed out, and undo what stood there before.
	reset() {
		if (!this.changed) return;
		const was = this.text;
		this.text = this.original;
		this.#offerUndo(was);
		this.problems([]); // they were of the other text
		this.state("as handed out");
	}
	undo() {
		this.text = this.#was;
		this.state("");
	}

	#offerUndo(was) {
		this.#was = was;
		this.#undo.hidden = was === undefined;
	}

	focus() { this.#editor.focus(); }
	get hasFocus() { return this.#section.contains(document.activeElement); }
	scrollTo() { this.#section.scrollIntoView({ block: "nearest" }); }

	// state says what the cell is doing, kind for the eye: busy, good, bad or nothing.
	state(text, kind = "") {
		this.#state.textContent = text;
		this.#state.className = "state " + kind;
		this.busy = kind === "busy";
		this.#section.ariaBusy = String(this.busy);
	}

	// advise says in a line what to do next; nothing: no line.
	advise(...line) {
		this.#advice.replaceChildren(...line);
		this.#advice.hidden = line.length === 0;
	}

	// problems shows what is wrong as marks in the editor and as text below it; what led
	// there, such as a press in another cell, is said with it.
	problems(list) {
		this.#editor.mark(list);
		this.#problems.replaceChildren(...list.map(({ line, column, text }) => {
			const p = document.createElement("p");
			const go = button("line " + line, "Go there", () => this.#editor.go(line, column));
			go.setAttribute("aria-label", this.label + ", line " + line);
			p.append(go, ": " + text);
			return p;
		}));
		this.#problems.hidden = list.length === 0;
	}

	go(line) { this.#editor.go(line); }
}
