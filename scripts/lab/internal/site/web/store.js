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
		const byCell = new Map(rows.map((row) => [row.cell, []]));
		for (const row of rows.sort((a, b) => a.at - b.at)) byCell.get(row.cell).push(row);
		return byCell;
	}

	// write keeps a cell: its text, the text that it was handed out with, and its score.
	async write(cell, { text, original, score }) {
		if (!this.#db) return;
		const row = { notebook: this.#notebook, version: this.#version, cell, text, original, score, at: Date.now() };
		const transaction = this.#db.transaction(table, "readwrite");
		transaction.objectStore(table).put(row);
		await committed(transaction);
	}
}
