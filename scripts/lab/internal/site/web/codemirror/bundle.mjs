// What the pages use of CodeMirror; README.md tells how this becomes codemirror.js.
import { StyleModule } from "style-mod";

// CodeMirror would put its rules into a style element, which the policy of a page forbids.
// A sheet made by a script is allowed. Rules given first count for less.
const sheets = new Map();
StyleModule.mount = (root, modules) => {
	for (const module of [modules].flat()) {
		if (!sheets.has(module)) {
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(module.getRules());
			sheets.set(module, sheet);
		}
	}
	const ours = new Set(sheets.values());
	const theirs = document.adoptedStyleSheets.filter((sheet) => !ours.has(sheet));
	const wanted = [modules].flat().map((module) => sheets.get(module));
	const before = document.adoptedStyleSheets.filter((sheet) => ours.has(sheet) && !wanted.includes(sheet));
	document.adoptedStyleSheets = [...theirs, ...before, ...wanted];
};

export { EditorState, Compartment, StateEffect, StateField } from "@codemirror/state";
export { EditorView, Decoration, drawSelection, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, showTooltip } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
export { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { classHighlighter } from "@lezer/highlight";
export { go } from "@codemirror/lang-go";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, currentCompletions, selectedCompletionIndex, setSelectedCompletion } from "@codemirror/autocomplete";
