// The notebook as a file: what the page starts from, what is downloaded, what is uploaded.

const lines = (text) => text.split(/(?<=\n)/);
export const joined = (source) => (Array.isArray(source) ? source.join("") : source ?? "");

// fetchNotebook is the notebook of this edition of the page. Servers let browsers keep files for
// some minutes, each for itself, so that a new page may meet an old file, and an old page a new one:
// its address has the edition, and what comes is held against it.
export async function fetchNotebook(url, version) {
	url.search = "?" + version;
	for (const cache of ["default", "reload"]) {
		const response = await fetch(url, { cache });
		if (!response.ok) throw new Error("the notebook of this page is not there (" + response.status + ")");
		const bytes = await response.arrayBuffer();
		if (await is(bytes, version)) return JSON.parse(new TextDecoder().decode(bytes));
	}
	throw new Error("this page is of another edition than its notebook. Reload the page; if that does not help, hold Shift while you do");
}

// is says whether a file is the one of that edition, as the site names editions when it is written.
// A browser tells no hash where the connection could be listened to.
async function is(bytes, version) {
	if (!globalThis.crypto?.subtle) return true;
	const hash = await crypto.subtle.digest("SHA-256", await new Blob([bytes.byteLength + " ", bytes]).arrayBuffer());
	return [...new Uint8Array(hash)].map((b) => b.toString(16).padStart(2, "0")).join("").startsWith(version);
}

// filled is a notebook with other sources, by cell, and with outputs.
export function filled(notebook, texts, outputs) {
	const copy = structuredClone(notebook);
	for (const cell of copy.cells) {
		if (texts.has(cell.id)) cell.source = lines(texts.get(cell.id));
		if (cell.cell_type === "code") {
			cell.outputs = (outputs.get(cell.id) ?? []).map((o) => (o.output_type === "stream" ? { ...o, text: lines(o.text) } : o));
			cell.execution_count = null;
		}
	}
	return copy;
}

export function download(notebook, file) {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([JSON.stringify(notebook, null, 1) + "\n"], { type: "application/x-ipynb+json" }));
	link.download = file;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// answers are the sources of a file's cells that ours has, by cell. What is no notebook, or
// another one, is an error.
export function answers(text, ours) {
	let theirs;
	try { theirs = JSON.parse(text); } catch { throw new Error("This file is no notebook: it is not JSON."); }
	if (theirs?.nbformat !== 4 || !Array.isArray(theirs.cells)) throw new Error("This file is no notebook of format 4. Open it in Jupyter and save it there.");
	const known = new Map(ours.cells.map((c) => [c.id, c])), found = new Map();
	let strange = 0;
	for (const cell of theirs.cells) {
		if (known.get(cell?.id)?.cell_type === cell?.cell_type) found.set(cell.id, joined(cell.source));
		else strange++;
	}
	if (found.size < ours.cells.length / 2) throw new Error("This file is another notebook: it shares " + found.size + " of this page's " + ours.cells.length + " cells.");
	return { found, strange };
}
