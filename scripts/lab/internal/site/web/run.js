// What makes the page of a notebook run: it puts an editor into each code cell, keeps
// answers, and asks the engine to build and run.
import { AnswerView } from "./answerview.js";
import { Bar } from "./bar.js";
import { CellView, button } from "./cellview.js";
import { ask, keptConsent, megabytes } from "./consent.js";
import { answers, download, fetchNotebook, filled, joined } from "./notebookfile.js";
import { nameOf, sum, table, verdict } from "./points.js";
import { stateOf } from "./reach.js";
import { Session, stopped } from "./session.js";
import { Store } from "./store.js";

const pause = 1500; // milliseconds without a change after which the cells are built
const firstTime = "the first time this takes up to half a minute, afterwards 2 to 4 s";

export async function start(main, note) {
	const base = new URL(main.dataset.engine, location.href);
	const { Engine } = await import(new URL("engine.js?v=" + main.dataset.engineVersion, base));
	const notebook = await fetchNotebook(new URL(main.dataset.file, location.href), main.dataset.version);
	await document.fonts?.load('1em "Go Mono"').catch(() => {}); // editors measure it
	const store = await Store.open(main.dataset.notebook, main.dataset.version);
	const page = new Page(main, note, notebook, store, new Engine({ base, course: main.dataset.course }));
	await page.restore();
	page.prepare();
	addEventListener("pagehide", () => page.close());
}

class Page {
	#main; #note; #notebook; #store; #engine; #session; #bar; #views = new Map(); #code = []; #timer; #running = 0; #setup = []; #loaded = false; #report; #asked = false; #full = false; #restored = false; #twice = new Map(); #before; #latest; // #latest is the latest build, #before: [view, text, score] of each cell before all were reset

	constructor(main, note, notebook, store, engine) {
		this.#main = main;
		this.#note = note;
		this.#notebook = notebook;
		this.#store = store;
		this.#engine = engine;
		this.#session = new Session(engine, { cells: () => this.#cells(), built: (result) => this.#built(result) });
		this.#bar = new Bar(document.getElementById("bar"), {
			runAll: () => this.#runEach(this.#code, "all cells"), checkAll: () => this.#checkAll(), stop: () => this.#session.stop(),
			download: () => this.#download(), upload: (file) => this.#upload(file), resetAll: () => this.#resetAll(), undoAll: () => this.#undoAll(),
		});
		for (const cell of notebook.cells) {
			const section = main.querySelector(`[data-cell="${CSS.escape(cell.id)}"]`), text = joined(cell.source);
			if (cell.cell_type === "code" && section) {
				const view = new CellView(cell, section, text, { changed: (v) => this.#changed(v), run: (v, on) => this.#run(v, on), reset: (v) => this.#reset(v), undo: (v) => this.#undo(v), names: (v) => this.#namesFor(v) });
				this.#views.set(cell.id, view);
				this.#code.push(view);
			} else if (section?.classList.contains("place")) {
				this.#views.set(cell.id, new AnswerView(cell, section, text, { changed: (v) => this.#changed(v) }));
			}
		}
		if (!store.kept) this.#say("This browser keeps nothing for this page: download your notebook before you close it.");
		main.classList.add("runs");
	}

	close() { this.#engine.close(); }

	// All code cells of the notebook, with those that the page does not show, but not the one
	// that checks all in Jupyter: a button does that here.
	#cells() {
		return this.#notebook.cells.filter((c) => c.cell_type === "code" && c.id !== "check-all").map((c) => {
			const view = this.#views.get(c.id);
			return { id: c.id, source: view?.text ?? joined(c.source), exercise: view?.exercise ?? false, points: view?.points ?? 0, raises: view?.raises ?? false };
		});
	}

	// namesFor promises what is known of names in a cell, or nothing where that cannot be
	// fetched. Of the other cells those above count first, the nearest before the farther.
	#namesFor(view) {
		return this.#engine.names(() => {
			const cells = this.#cells(), at = cells.findIndex((c) => c.id === view.id);
			return [...cells.slice(0, at).reverse(), ...cells.slice(at + 1)].map((c) => c.source);
		}).catch(() => undefined);
	}

	#say(text, ...more) {
		const p = document.createElement("p");
		p.append(text, ...more);
		this.#note.append(p);
		return p;
	}

	// restore puts back the answers that were kept, of each cell the newest, whatever version
	// of the notebook it was written in, if the cell was handed out with the same text. Where
	// there is none of that text, the newest answer is offered.
	async restore() {
		const kept = await this.#store.read();
		const offered = new Map();
		let unchecked = false; // whether there are points of an earlier version, which do not count
		for (const view of this.#views.values()) {
			const rows = kept.get(view.id) ?? [], newest = rows.at(-1);
			const row = rows.filter((r) => r.original === view.original).at(-1);
			const shown = row?.score && row.version === this.#main.dataset.version;
			if (newest?.score && newest.version !== this.#main.dataset.version && !shown) unchecked = true;
			if (row) {
				view.text = row.text;
				if (row.version !== this.#main.dataset.version) continue;
				if (row.score) {
					view.score = row.score;
					view.used = true;
					this.#showVerdict(view);
				}
				if (row.other !== undefined) this.#changedTwice(view, row.other);
			} else if (newest && newest.text !== newest.original) offered.set(view, newest.text);
		}
		if (unchecked) this.#say("This notebook has a new version since you last checked your work. Your answers are still here. To see your points again, press Check all my work.");
		if (offered.size > 0) {
			const p = this.#say("You have answers for an earlier version of this notebook, in cells that have changed since. ",
				button("Take them over", "", () => { for (const [view, text] of offered) { view.text = text; this.#changed(view); } p.remove(); }));
		}
		this.#restored = true;
		this.#showPoints();
	}

	// prepare gets ready while the student reads, if that was agreed to before.
	async prepare() {
		try {
			const { download: size } = await this.#session.describe();
			if (!keptConsent()) {
				this.#bar.status(size > 0 ? "Run downloads " + megabytes(size) + " first" : "");
				return;
			}
			await this.#load();
			await this.#build();
		} catch (error) {
			this.#bar.status(error.message);
		}
	}

	async #load() {
		await this.#session.load(({ what, loaded, total }) => this.#bar.status(`Loading ${what}: ${megabytes(loaded)} of ${megabytes(total)}`, total > 0 ? loaded / total : undefined));
		this.#loaded = true;
		this.#bar.status("Ready");
	}

	// ready asks before the first download, and loads.
	async #ready() {
		if (this.#loaded) return true;
		const what = await this.#session.describe();
		if (what.download > 0 && !keptConsent() && !await ask(what)) return false;
		this.#bar.busy(true);
		await this.#load();
		return true;
	}

	#building() { return this.#session.warm ? "Building" : "Building; " + firstTime; }

	#build() {
		return this.#session.build(() => { if (this.#running === 0) this.#bar.status(this.#building()); }).then(() => { if (this.#running === 0) this.#bar.status("Ready"); });
	}

	// keep keeps a cell as it stands, and says so on the page when that fails for the first
	// time. The browser is asked not to throw answers away when it wants room.
	async #keep(view) {
		if (!this.#asked) {
			this.#asked = true;
			navigator.storage?.persist?.().catch(() => {});
		}
		try {
			const other = await this.#store.write(view.id, { text: view.text, original: view.original, score: view.score });
			if (other !== undefined) this.#changedTwice(view, other);
		} catch {
			this.#unkept();
		}
	}

	// changedTwice offers what another tab has made of a cell.
	#changedTwice(view, other) {
		this.#twice.get(view)?.remove();
		const settle = (text, keep) => {
			this.#twice.get(view).remove();
			this.#store.setOther(view.id, keep);
			view.text = text;
			this.#changed(view);
			if (keep !== undefined) this.#changedTwice(view, keep);
		};
		const text = view.label + " was changed in another tab, too. Both texts are kept. ";
		this.#twice.set(view, this.#say(text,
			button("Show the other text", "", () => settle(other, view.text)), " ", button("Keep the text that is shown", "", () => settle(view.text, undefined))));
		this.#bar.announce(text);
	}

	#unkept() {
		if (this.#full) return;
		this.#full = true;
		const text = "Your answers can no longer be kept here: download your notebook before you close this page.";
		this.#say(text);
		this.#bar.status(text);
		this.#bar.announce(text);
	}

	#changed(view) {
		if (!this.#restored) return; // what is put back is kept already
		this.#keep(view);
		if (this.#before) this.#offerUndo(undefined);
		if (!this.#code.includes(view)) return;
		this.#showPoints();
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => { if (this.#loaded && this.#running === 0) this.#build().catch((error) => this.#bar.status(error.message)); }, pause);
	}

	// built shows what is wrong in which cell.
	#built(result) {
		this.#latest = result;
		for (const view of this.#code) view.problems(result.problems.filter((p) => p.cell === view.id));
	}

	// run runs a cell and, with on, goes on to the next: at once where it is known to compile,
	// else when it has been built, if the reader is still there. A second press goes on anyway.
	async #run(view, on) {
		const next = () => { const v = this.#code[this.#code.indexOf(view) + 1]; if (v) this.#goTo(v); };
		const compiles = view.busy || this.#compiles(view);
		if (on && compiles) next();
		await this.#runOne(view, on && compiles === undefined ? () => { if (view.hasFocus) next(); } : () => {});
	}

	// compiles says whether a cell as it stands does, undefined where that is not known. One that
	// is as it was handed out does.
	#compiles(view) {
		const built = this.#latest;
		if (built && stateOf(built.cells, view.id) === stateOf(this.#cells(), view.id)) return !built.omitted.includes(view.id) && !built.problems.some((p) => p.cell === view.id);
		return view.changed ? undefined : true;
	}

	// runOne runs a cell; built() is called when it has been built.
	async #runOne(view, built = () => {}) {
		try {
			if (!await this.#ready()) return stopped;
		} catch (error) {
			this.#bar.busy(false);
			this.#bar.status(error.message);
			this.#bar.announce(error.message);
			return stopped;
		}
		clearTimeout(this.#timer);
		this.#running++;
		this.#bar.busy(true);
		// A run may wait for the build that began when the page was opened.
		view.state(this.#session.warm ? "waiting" : "waiting for the build; " + firstTime, "busy");
		if (!this.#session.warm) this.#bar.announce(this.#building());
		let result, recorded = false, reads = false, ticking;
		try {
			result = await this.#session.run(view.id, {
				building: () => {
					const text = this.#building();
					view.state(text[0].toLowerCase() + text.slice(1), "busy");
					this.#bar.status(text);
				},
				running: () => {
					built();
					view.outputs.clear();
					view.state("running", "busy");
					clearInterval(ticking);
					ticking = tick((seconds) => view.state("running for " + seconds + " s; Stop ends it", "busy"));
					this.#bar.status("Running");
				},
				onText: (fd, text) => view.outputs.text(fd, text),
				onDisplay: (bundle) => view.outputs.display(bundle),
				onRecorded: () => { recorded = true; },
				onInput: () => { reads = true; },
			});
		} catch (error) {
			result = { ended: "error", sentence: error.message, at: [], scores: [] };
		}
		clearInterval(ticking);
		if (recorded) view.outputs.note("Recorded: there is no Python in this page. What scikit-learn says here it said when the notebook was made.");
		if (reads) view.outputs.note("The cell reads its standard input. In a page nobody can type there, and it is empty: write into the cell what it is to read, as in strings.NewReader(\"3 4\").");
		if (--this.#running === 0) { this.#bar.busy(false); this.#bar.status("Ready"); }
		this.#ended(view, result);
		return result;
	}

	#ended(view, result) {
		view.failed = "";
		if (result.ended !== "done") view.advise(); // it is of a run that came to its end
		if (view.points > 0 && result.ended !== "stopped") this.#used(view);
		if (result.ended === "omitted") return this.#omitted(view, result.built);
		const seconds = result.ms >= 0 ? (result.ms / 1000).toFixed(result.ms < 950 ? 2 : 1) + " s" : "";
		if (view.points > 0 && result.ended !== "stopped") this.#scored(view, result.scores?.[0], result.built?.cells);
		// That a check or an exercise has run does not make it right.
		if (result.ended === "done") view.state((view.exercise ? "ran, " : "") + seconds, view.exercise || view.points > 0 ? "" : "good");
		else {
			const early = result.ended !== "stopped";
			const how = result.ended === "compile" ? "does not compile" : "ended early";
			view.state(early ? how : "stopped", early ? "bad" : "");
			view.failed = early ? how : "";
			if (result.sentence) view.outputs.note(result.sentence, "ended");
			for (const { cell, line, name } of result.at ?? []) {
				const at = this.#views.get(cell);
				if (at) view.outputs.note("", "ended").append("at ", button(at === view ? "line " + line : at.label + ", line " + line, "Go there", () => at.go(line)), name ? ", in " + name : "");
			}
		}
		let verdictText = "";
		if (result.ended === "done" && view.score) {
			this.#showVerdict(view, seconds);
			verdictText = verdict(view)[0] + ". ";
		}
		if (result.ended === "done" && view.exercise) this.#adviseCheck(view);
		this.#bar.announce(view.label + ": " + verdictText + (result.sentence || view.outputs.last() || "done"));
	}

	// checkOf is the check of an exercise's cell: the next one, if no other exercise lies between.
	#checkOf(view) {
		const after = this.#code.slice(this.#code.indexOf(view) + 1), check = after.find((v) => v.points > 0);
		if (!check || after.slice(0, after.indexOf(check)).some((v) => v.exercise && nameOf(v) !== nameOf(view))) return undefined;
		return check;
	}

	// adviseCheck says after the cell of an exercise has run that this was no check, until its
	// check has been used.
	#adviseCheck(view) {
		const check = this.#checkOf(view);
		if (check && !check.used) view.advise("It ran. ", button("The check below", "Go there", () => this.#goTo(check)), " tests whether it is right.");
	}

	// used takes the advice away that leads to a check.
	#used(check) {
		check.used = true;
		for (const view of this.#code) if (view.exercise && this.#checkOf(view) === check) view.advise();
	}

	// omitted says why a cell was not run.
	#omitted(view, built) {
		const own = built.problems.filter((p) => p.cell === view.id);
		view.state("does not compile", "bad");
		view.failed = "does not compile";
		if (own.length === 0) {
			view.outputs.clear();
			const p = view.outputs.note("This cell was not built, because it uses what does not compile: ", "ended");
			const cells = [...new Set(built.problems.map((b) => b.cell))].map((id) => this.#views.get(id)).filter(Boolean);
			// What belongs to no cell, such as a complaint of the linker, is said as it is.
			p.append(built.problems.filter((b) => !this.#views.has(b.cell)).map((b) => b.text).join("\n"));
			for (const at of cells) p.append(button(at.label, "Go there", () => at.go(built.problems.find((b) => b.cell === at.id).line)), " ");
		}
		if (view.points > 0) this.#scored(view, undefined);
		this.#bar.announce(view.label + " does not compile. " + (own[0] ? "Line " + own[0].line + ": " + own[0].text : ""));
	}

	// scored takes the score of a check, with the state that it was of.
	#scored(view, score, cells) {
		view.score = score && cells ? { title: score.title, passed: score.passed, of: score.of, state: stateOf(cells, view.id) } : null;
		this.#keep(view);
		this.#showPoints();
	}

	#showPoints() {
		const { points, of, checked } = sum(this.#code), cells = this.#cells(), old = [];
		if (of === 0) return;
		for (const view of this.#code.filter((v) => v.score)) {
			const was = view.old;
			view.old = view.score.state !== stateOf(cells, view.id);
			if (view.old) old.push({ name: nameOf(view), go: () => this.#goTo(view) });
			if (view.old !== was && !view.busy) this.#showVerdict(view);
		}
		this.#bar.points(checked === 0 ? of + " points to get" : points + " of " + of + " points", old);
	}

	// showVerdict says beside a check how it went, and that it was of another text if it was.
	#showVerdict(view, seconds) {
		const [text, kind] = verdict(view);
		if (view.old) view.state(text + ", before your last change");
		else view.state(text + (seconds ? ", " + seconds : ""), kind);
	}

	#goTo(view) {
		view.scrollTo();
		view.focus();
	}

	async #runEach(views, what) {
		for (const [i, view] of views.entries()) {
			const result = await this.#runOne(view);
			if (result.ended === "stopped") return false;
			this.#bar.announce(i + 1 + " of " + views.length + " of " + what);
		}
		return true;
	}

	async #checkAll() {
		const graded = this.#code.filter((v) => v.points > 0);
		if (graded.length === 0) return this.#bar.status("Nothing in this notebook is checked");
		if (!await this.#runEach(graded, "all checks")) return;
		this.#report?.remove();
		this.#report = document.createElement("section");
		this.#report.className = "report";
		this.#report.tabIndex = -1;
		this.#report.setAttribute("aria-label", "All my work");
		const p = document.createElement("p");
		p.textContent = "The cases that you can see were tried. Your teacher may try others, and reads what you answer in words. To hand in your work, choose Download my notebook in the menu More.";
		this.#report.append(table(this.#code, (view) => this.#goTo(view)), p);
		document.getElementById("bar").after(this.#report);
		this.#report.focus();
		this.#report.scrollIntoView({ block: "center" });
		const { points, of } = sum(this.#code);
		this.#bar.announce("Points so far: " + points + " of " + of);
	}

	#download() {
		const texts = new Map([...this.#views.values()].map((v) => [v.id, v.text]));
		const outputs = new Map(this.#code.map((v) => [v.id, v.savedOutputs]));
		download(filled(this.#notebook, texts, outputs), this.#main.dataset.file);
	}

	async #upload(file) {
		try {
			const { found, strange } = answers(await file.text(), this.#notebook);
			// A check that is locked stays as it was handed out, or it would check something else.
			const taken = [...found].map(([id, text]) => ({ view: this.#views.get(id), text })).filter(({ view, text }) => view && !view.locked && view.text !== text);
			const lost = taken.filter(({ view }) => view.changed).length;
			if (lost > 0 && !confirm(`This replaces ${lost === 1 ? "one cell or answer" : lost + " cells and answers"} that you have changed. Download your notebook first if you may want them again.`)) return;
			for (const { view, text } of taken) {
				view.text = text;
				this.#changed(view);
			}
			this.#bar.status(`${taken.length} ${taken.length === 1 ? "cell" : "cells"} taken from ${file.name}` + (strange > 0 ? `; ${strange} that this page has not ${strange === 1 ? "was" : "were"} left out` : ""));
		} catch (error) {
			this.#bar.status(error.message);
			this.#bar.announce(error.message);
		}
	}

	#resetAll() {
		if (!confirm("Put back all cells and answers of this notebook as they were handed out? Download your notebook first if you may want them again.")) return;
		const before = [...this.#views.values()].map((view) => ({ view, text: view.text, score: view.score }));
		this.#offerUndo(undefined);
		// What was handed out is kept like an answer: it is newer than those of other versions.
		for (const view of this.#views.values()) {
			view.score = null;
			if (view.reset) view.reset();
			else view.text = view.original;
			if (view.points > 0) view.state("");
			this.#keep(view);
		}
		this.#showPoints();
		this.#offerUndo(before);
		const text = "All cells and answers are as they were handed out. Undo brings yours back until you change something.";
		this.#bar.status(text);
		this.#bar.announce(text);
	}

	#undoAll() {
		const before = this.#before;
		this.#offerUndo(undefined);
		for (const { view, text, score } of before) {
			view.text = text;
			view.score = score;
			if (view.reset) view.state("");
			if (score) this.#showVerdict(view);
			this.#keep(view);
		}
		this.#showPoints();
		this.#bar.status("Your answers are back");
		this.#bar.announce("Your answers are back.");
	}

	#offerUndo(before) {
		this.#before = before;
		this.#bar.offerUndo(before !== undefined);
	}

	#reset(view) {
		view.reset();
		view.focus();
		this.#bar.announce(view.label + " is as it was handed out. The button Undo behind it brings your text back until you change the cell.");
	}

	#undo(view) {
		view.undo();
		view.focus();
		this.#bar.announce(view.label + ": your text is back.");
	}
}

// tick calls show with the seconds that have passed, each second from the tenth on, until its
// timer is cleared: by then somebody may think of a loop that never ends.
function tick(show) {
	const begun = performance.now();
	return setInterval(() => {
		const seconds = Math.floor((performance.now() - begun) / 1000);
		if (seconds >= 10) show(seconds);
	}, 1000);
}
