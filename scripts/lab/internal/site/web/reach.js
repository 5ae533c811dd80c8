// What a cell can depend on: the declarations that it names, those that these name, and so on.
// Values do not survive a cell, so the rest of other cells does not matter. Cells are read by
// patterns. A word in a comment or in a text does not count: the hint "is it whole?" would
// otherwise make a check depend on every function with the name of one of its words.

const name = "[\\p{L}_][\\p{L}\\p{N}_]*", names = `${name}(?:\\s*,\\s*${name})*`;
const patterns = {
	word: new RegExp(name, "gu"), names: new RegExp("^\\s*(" + names + ")", "gmu"),
	func: new RegExp(`^\\s*func\\s*(?:\\([^)]*\\)\\s*)?(${name})`, "gmu"),
	single: new RegExp(`^\\s*(?:type|var|const)\\s+(${names})`, "gmu"),
	group: /^\s*(?:type|var|const)\s*\(([^]*?)^\s*\)/gm,
	prose: /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'/g,
};
const wordsOf = (text) => new Set(text.replace(patterns.prose, " ").match(patterns.word));
const each = (pattern, text) => [...text.matchAll(pattern)].flatMap(([, found]) => found.split(/\s*,\s*/));

const read = new Map(); // by text

// parts of a cell are its declarations, their words, what they declare, and whether they
// concern all cells: what one imports another may use, and some of them do something.
function parts(text) {
	if (read.has(text)) return read.get(text);
	if (read.size > 2000) read.clear();
	const declarations = text.split(/^%%.*$/m)[0];
	const declared = [...each(patterns.func, declarations), ...each(patterns.single, declarations)];
	for (const [, group] of declarations.matchAll(patterns.group)) declared.push(...each(patterns.names, group));
	const made = {
		declarations, declared, words: wordsOf(declarations), all: wordsOf(text),
		always: /^\s*import\b/m.test(declarations) || declared.some((n) => n === "_" || n.startsWith("init")),
	};
	read.set(text, made);
	return made;
}

// stateOf is a number that changes when a cell does, or one on which it can depend. cells are
// all code cells, as [{id, source}].
export function stateOf(cells, id) {
	const known = cells.map((c) => ({ id: c.id, text: c.source, ...parts(c.source) }));
	const own = known.find((c) => c.id === id), reached = new Set([own]), queue = [own.all];
	const reach = (c) => { reached.add(c); queue.push(c.words); };
	for (const c of known) if (c.always && c !== own) reach(c);
	for (let words; (words = queue.shift());) {
		for (const c of known) if (!reached.has(c) && c.declared.some((n) => words.has(n))) reach(c);
	}
	let h = 0x811c9dc5;
	for (const c of known) {
		if (!reached.has(c)) continue;
		for (const ch of (c === own ? c.text : c.declarations) + "\0") h = Math.imul(h ^ ch.codePointAt(0), 0x01000193) >>> 0;
	}
	return h;
}
