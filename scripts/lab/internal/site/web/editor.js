// An editor for the Go of one cell, in place of the text that the page came with.
import * as cm from "./codemirror/codemirror.js";

export class Editor {
	#view;

	// A locked editor can be read and run, and not be changed. run(on) is called for
	// Ctrl-Enter, and for Shift-Enter with on, which means to go on to the next cell. names()
	// promises what completes and describes names, as the engine has it, or nothing.
	constructor(parent, { text, label, locked, changed, run, names }) {
		const list = { asked: false }; // of completions: whether a key has opened it
		const key = (on) => () => { run(on); return true; };
		this.#view = new cm.EditorView({
			parent,
			state: cm.EditorState.create({
				doc: text,
				extensions: [
					cm.keymap.of([
						{ key: "Shift-Enter", run: key(true) }, { key: "Mod-Enter", run: key(false) },
						{ key: "Mod-i", run: (view) => { explainAtCursor(view, names); return true; } }, { key: "Escape", run: hideExplained },
						...cm.closeBracketsKeymap, ...cm.completionKeymap, ...cm.historyKeymap, ...cm.defaultKeymap, cm.indentWithTab,
					]),
					cm.lineNumbers(), cm.lintGutter(), cm.history(), cm.highlightSpecialChars(), cm.indentOnInput(), cm.bracketMatching(),
					cm.closeBrackets(), cm.autocompletion({ selectOnOpen: false, override: [completions(names, list)] }), cm.go(),
					explained, cm.hoverTooltip((view, at) => explain(view.state, at, names)), cm.syntaxHighlighting(cm.classHighlighter),
					cm.EditorState.tabSize.of(4), cm.indentUnit.of("\t"), cm.EditorState.readOnly.of(locked), cm.EditorView.lineWrapping,
					cm.EditorView.contentAttributes.of({ "aria-label": label, ...(locked ? { "aria-readonly": "true" } : {}) }),
					// Escape lets the next Tab out of the editor also where it closes a list.
					cm.EditorView.domEventObservers({ keydown: (event, view) => { if (event.key === "Escape") view.setTabFocusMode(2000); } }),
					cm.EditorView.updateListener.of((update) => {
						if (update.docChanged) changed();
						if (list.asked && choosesNone(update.state)) queueMicrotask(() => { if (choosesNone(update.view.state)) update.view.dispatch({ effects: cm.setSelectedCompletion(0) }); });
					}),
				],
			}),
		});
		// Lines may be of another height once the page's own font is there.
		document.fonts?.ready.then(() => this.#view.requestMeasure());
	}

	get text() { return this.#view.state.doc.toString(); }

	// The change can be undone like any other.
	set text(text) {
		if (text !== this.text) this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
	}

	focus() { this.#view.focus(); }

	// go moves to a line and a column, from 1, and has the line in sight.
	go(line, column = 1) {
		const at = this.#at(line, column);
		this.focus();
		this.#view.dispatch({ selection: { anchor: at }, effects: cm.EditorView.scrollIntoView(at, { y: "nearest", yMargin: covered() + 20 }) });
	}

	// mark marks what is wrong: [{line, column, text}], from 1.
	mark(problems) {
		const doc = this.#view.state.doc;
		const marks = problems.map(({ line, column, text }) => {
			const at = this.#at(line, column), end = doc.lineAt(at).to;
			const word = /^\w+/.exec(doc.sliceString(at, end));
			return { from: column ? at : doc.lineAt(at).from, to: column && word ? at + word[0].length : end, severity: "error", message: text };
		});
		this.#view.dispatch(cm.setDiagnostics(this.#view.state, marks));
	}

	#at(line, column) {
		const doc = this.#view.state.doc, l = doc.line(Math.min(Math.max(line, 1), doc.lines));
		return Math.min(l.from + Math.max((column || 1) - 1, 0), l.to);
	}
}

// covered is how much of the window the bar covers where it sticks to the top.
const covered = () => document.getElementById("bar")?.offsetHeight ?? 0;

// completions makes a source of completions for CodeMirror. A list opens by itself after the
// dot behind a name, with nothing chosen, so that Enter ends the line; one that a key has asked
// for has its first choice taken by Enter.
const completions = (names, list) => async (context) => {
	if (!context.explicit && !afterDot(context.state.sliceDoc(context.state.doc.lineAt(context.pos).from, context.pos))) return null;
	list.asked = context.explicit;
	const known = await names();
	const found = known?.complete(context.state.sliceDoc(0, context.pos));
	if (!found || context.aborted) return null;
	return {
		from: found.from, validFor: /^\w*$/,
		options: found.options.map(({ label, type, detail, doc }) => ({ label, type, detail: short(detail), info: doc || detail ? () => panel(label + (detail ? " " + detail : ""), doc) : undefined })),
	};
};

const choosesNone = (state) => cm.currentCompletions(state).length > 0 && cm.selectedCompletionIndex(state) === null;

// afterDot says whether a line ends with a name, a dot and perhaps a beginning, and not in a comment.
const afterDot = (line) => /[\p{L}_][\p{L}\p{N}_]*\.\w*$/u.test(line) && !/\/\//.test(line.replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, ""));

const short = (text) => (text.length > 60 ? text.slice(0, 58) + " …" : text);

// explain is a tooltip on the name at a place, or null.
async function explain(state, at, names) {
	const found = (await names())?.describe(state.doc.toString(), at);
	if (!found) return null;
	return { pos: found.from, end: found.to, above: true, create: () => ({ dom: panel(found.sig, found.doc) }) };
}

// panel shows how a name is declared, and what is said of it.
function panel(sig, doc) {
	const box = document.createElement("div"), code = document.createElement("code");
	box.className = "explained";
	box.setAttribute("role", "status");
	code.textContent = sig;
	box.append(code);
	if (doc) {
		const p = document.createElement("p");
		p.textContent = doc;
		box.append(p);
	}
	return box;
}

// What a key has asked for stands until the text changes, the cursor moves or Escape is pressed.
const setExplained = cm.StateEffect.define();
const explained = cm.StateField.define({
	create: () => null,
	update(value, transaction) {
		for (const effect of transaction.effects) if (effect.is(setExplained)) return effect.value;
		return transaction.docChanged || transaction.selection ? null : value;
	},
	provide: (field) => cm.showTooltip.from(field),
});

async function explainAtCursor(view, names) {
	const state = view.state, tooltip = await explain(state, state.selection.main.head, names);
	if (view.state.doc.eq(state.doc)) view.dispatch({ effects: setExplained.of(tooltip) });
}

function hideExplained(view) {
	if (!view.state.field(explained)) return false;
	view.dispatch({ effects: setExplained.of(null) });
	return true;
}
