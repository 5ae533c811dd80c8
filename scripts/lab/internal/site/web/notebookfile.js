// The notebook as a file: what the page starts from, what is downloaded, what is uploaded.

const lines = (text) => text.split(/(?<=\n)/);
export const joined = (source) => (Array.isArray(source) ? source.join("") : source ?? "");

export async function fetchNotebook(url) {
	const response = await fetch(url);
	if (!response.ok) throw new Error("the notebook of this page is not there (" + response.status + ")");
	return response.json();
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
