// Answers are kept in the browser, by notebook, its version and the cell. Where the browser
// keeps nothing, they last as long as the page.

const name = "mllabs answers", table = "cells";

const done = (request) => new Promise((resolve, reject) => {
	request.onsuccess = () => resolve(request.result);
	request.onerror = () => reject(request.error);
});

// committed is when a transaction is on the disk: where there is no room, that fails though
// every request in it went well.
const committed = (transaction) => new Promise((resolve, reject) => {
	transaction.oncomplete = () => resolve();
	transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("the browser did not keep it"));
});

async function open() {
	const request = indexedDB.open(name, 1);
	request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: ["notebook", "version", "cell"] }).createIndex("notebook", "notebook");
	return done(request);
}

export class Store {
	#db; #notebook; #version;
	#seen = new Map(); // the text of each cell that this tab has read or written last
	#others = new Map(); // by cell, a text of another tab that is kept beside its own

	constructor(db, notebook, version) {
		this.#db = db;
		this.#notebook = notebook;
		this.#version = version;
	}

	// open opens the store of a notebook; kept is false where nothing can be kept.
	static async open(notebook, version) {
		let db = null;
		try { db = await open(); } catch { /* a private window, or a browser that refuses */ }
		return new Store(db, notebook, version);
	}

	get kept() { return this.#db !== null; }

	// read returns what is kept of each cell, of this version and of others, the newest last.
	async read() {
		if (!this.#db) return new Map();
		const rows = await done(this.#db.transaction(table).objectStore(table).index("notebook").getAll(this.#notebook));
		for (const row of rows.filter((r) => r.version === this.#version)) {
			this.#seen.set(row.cell, row.text);
			this.#others.set(row.cell, row.other);
		}
		const byCell = new Map(rows.map((row) => [row.cell, []]));
		for (const row of rows.sort((a, b) => a.at - b.at)) byCell.get(row.cell).push(row);
		return byCell;
	}

	// write keeps a cell: its text, the text that it was handed out with, and its score. Where
	// another tab has kept another text since, both are kept, and the other is returned.
	async write(cell, { text, original, score }) {
		if (!this.#db) return;
		const transaction = this.#db.transaction(table, "readwrite"), rows = transaction.objectStore(table);
		let other;
		rows.get([this.#notebook, this.#version, cell]).onsuccess = ({ target: { result: old } }) => {
			if (old && ![this.#seen.get(cell), text, original].includes(old.text)) {
				other = old.text;
				this.#others.set(cell, other);
			}
			this.#seen.set(cell, text);
			rows.put({ notebook: this.#notebook, version: this.#version, cell, text, original, score, other: this.#others.get(cell), at: Date.now() });
		};
		await committed(transaction);
		return other;
	}

	// setOther says what the next write keeps beside the text of a cell; undefined: nothing.
	setOther(cell, text) { this.#others.set(cell, text); }
}
