// What an editor knows of Go: the names that the packages of a course export, and those that
// the cells declare. It reads cells by patterns and not as a compiler would: what it does not
// understand it has nothing to say of.

const keywords = "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var".split(" ");
const builtins = "any append bool byte cap clear close copy delete error false float64 int len make max min new nil panic print println rune string true uint64".split(" ");

export class Names {
	#packages = new Map(); // by name
	#texts;

	// packages are [{path, name, doc, names: [{name, kind, sig, doc, of, type}]}]: of is the type
	// that has a method or field, type that of a value or a first result. texts() are the
	// other cells' texts.
	constructor(packages, texts) {
		for (const p of packages) if (!this.#packages.has(p.name)) this.#packages.set(p.name, p);
		this.#texts = texts;
	}

	// complete is what may stand at the end of a text: {from, options: [{label, type, detail,
	// doc}]}, from being where that begins, or null.
	complete(text) {
		const [, , of, begun] = /((\w+)\s*\.\s*)?(\w*)$/.exec(text);
		const from = text.length - begun.length;
		if (/["'`]/.test(rest(text))) return null; // within a text of the program
		if (of !== undefined) {
			const options = this.#members(of, text);
			return options.length > 0 ? { from, options } : null;
		}
		if (/\.\s*\w*$/.test(text)) return null; // of something that has no name
		const options = new Map();
		const add = (label, type, detail, doc) => { if (label !== begun && !options.has(label)) options.set(label, { label, type, detail, doc }); };
		for (const cell of [text, ...this.#texts()]) {
			for (const [, sig, name] of cell.matchAll(/^(func (\w+).*?)\s*\{?$/gm)) add(name, "function", sig, "");
			for (const [, kind, name] of cell.matchAll(/^(type|var|const) (\w+)/gm)) add(name, kind === "type" ? "type" : kind === "const" ? "constant" : "variable", kind, "");
		}
		for (const [, names] of text.matchAll(/\b([\w, ]+?)\s*:=/g)) for (const name of names.split(/\s*,\s*/)) if (/^[A-Za-z]\w*$/.test(name)) add(name, "variable", "", "");
		for (const p of this.#packages.values()) add(p.name, "namespace", p.path, p.doc);
		for (const word of builtins) add(word, "function", "of Go", "");
		for (const word of keywords) add(word, "keyword", "", "");
		return { from, options: [...options.values()] };
	}

	// describe explains the name that stands at a place of a text: {from, to, sig, doc}, or null.
	describe(text, at) {
		const before = /((\w+)\s*\.\s*)?(\w*)$/.exec(text.slice(0, at)), after = /^\w*/.exec(text.slice(at))[0];
		const name = before[3] + after, from = at - before[3].length, to = at + after.length;
		if (!name) return null;
		const found = (sig, doc) => ({ from, to, sig, doc });
		if (before[2] !== undefined) {
			const n = this.#candidates(before[2], text.slice(0, at)).find((n) => n.name === name);
			return n ? found(n.sig, n.doc) : null;
		}
		const p = this.#packages.get(name);
		if (p) return found(`package ${p.name} // ${p.path}`, p.doc);
		for (const cell of [text, ...this.#texts()]) {
			const m = new RegExp(`((?:^//.*\\n)*)^(func ${name}\\b.*?|(?:type|var|const) ${name}\\b.*?)\\s*\\{?$`, "m").exec(cell);
			if (m) return found(m[2], m[1].replaceAll(/^\/\/ ?/gm, "").trim());
		}
		return null;
	}

	#members(of, text) {
		const type = { func: "function", method: "method", field: "property", type: "type", const: "constant", var: "variable" };
		return this.#candidates(of, text).map((n) => ({ label: n.name, type: type[n.kind], detail: n.sig.replace(/^func (\(.*?\) )?\w+/, ""), doc: n.doc ?? "" }));
	}

	// candidates are what may follow a name and a dot.
	#candidates(of, text) {
		const p = this.#packages.get(of);
		if (p && !this.#declares(of, text)) return p.names.filter((n) => !n.of);
		const type = this.#typeOf(of, text);
		if (!type) return [];
		const [owner, name] = type.split(".");
		return this.#packages.get(owner)?.names.filter((n) => n.of === name) ?? [];
	}

	#declares(name, text) { return new RegExp(`\\b${name}\\b[\\w, ]*:=|[(,]\\s*${name}(?:, \\w+)* [\\w*[]`).test(text); }

	// typeOf is the type of a variable, "mat.Dense", as far as the texts tell.
	#typeOf(name, text) {
		for (const cell of [text, ...this.#texts()]) {
			const called = [...cell.matchAll(new RegExp(`\\b${name}(?:\\s*,\\s*\\w+)*\\s*:?=\\s*(?:nbkit\\.Must\\()?(\\w+)\\.(\\w+)\\{[^\\n]*?\\}\\.(\\w+)\\(`, "g"))].at(-1);
			if (called) {
				const n = this.#packages.get(called[1])?.names.find((n) => n.name === called[3] && n.of === called[2]);
				if (n?.type) return n.type;
			}
			const given = [...cell.matchAll(new RegExp(`\\b${name}(?:\\s*,\\s*\\w+)*\\s*:?=\\s*(?:nbkit\\.Must\\()?[*&]?(\\w+)\\.(\\w+)\\s*([({])`, "g"))].at(-1);
			if (given) {
				const n = this.#packages.get(given[1])?.names.find((n) => n.name === given[2] && !n.of);
				if (n?.type && (given[3] === "(") === (n.kind === "func")) return n.type;
			}
			const declared = [...cell.matchAll(new RegExp(`\\b${name}(?:\\s*,\\s*\\w+)*\\s+\\*?(\\w+\\.[A-Z]\\w*)`, "g"))].at(-1);
			if (declared) return declared[1];
		}
		return "";
	}
}

// rest is what is left of the line without whole strings: a quote in it begins one.
const rest = (text) => text.slice(text.lastIndexOf("\n") + 1).replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)'/g, "");
