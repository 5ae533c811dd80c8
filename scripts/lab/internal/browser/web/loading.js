// A worker that fetches and compiles the tools, and the packages of a course, and is then done
// with: what it takes of memory on the way, several times that of the tools, is given back
// only with it.
//
// Firefox compiles all functions of a tool at once, 140 MB of the compiler's. It gets the
// compiler and the linker as Blobs, for workers that compile one and run it once: then the
// compiler is gone while the linker works. Elsewhere functions are compiled when they are
// called, and a module that lasts has those of earlier runs.
import { release } from "./release.js";
import { Store } from "./store.js";

const lasts = (name) => name === "compose" || !navigator.userAgent.includes("Firefox");

// The answer is {tools: {name: module or Blob}, packs: [{blob, entries: [{path, at, size}]}]}.
onmessage = async ({ data: { id, base, manifest, course } }) => {
	try {
		const store = new Store(base, manifest);
		const wanted = manifest.courses[course].map((name) => manifest.packs[name]);
		const total = (await Promise.all([...Object.values(manifest.tools), ...wanted].map((file) => store.bytes(file)))).reduce((a, b) => a + b);
		let loaded = 0;
		const onBytes = (what) => (bytes) => {
			loaded += bytes;
			postMessage({ of: id, what, loaded: Math.min(Math.round(loaded), total), total });
		};
		const brought = Object.entries(manifest.tools).map(async ([name, file]) => [name, await (lasts(name) ? compiled : whole)(store, file, onBytes("Go's tools"))]);
		const library = wanted.map((file) => opened(store, file, onBytes("the library")));
		const [entries, packs] = await Promise.all([Promise.all(brought), Promise.all(library)]);
		const tools = Object.fromEntries(entries);
		await store.tidy().catch(() => {}); // the next visit will
		postMessage({ id, value: { tools, packs } });
	} catch (error) {
		postMessage({ id, error: error.message });
	}
};

// compiled does not compile what streams in: the browser would keep its parts as long as the
// module, which is twice as much.
async function compiled(store, file, onBytes) {
	const response = await store.get(file, onBytes); // whose own error says what to do
	try {
		const bytes = await response.arrayBuffer();
		const module = await WebAssembly.compile(bytes);
		release(bytes);
		return module;
	} catch (error) {
		throw await store.unusable(file, error.message);
	}
}

// whole is a file as a Blob, which a browser keeps on the disk, and not in the memory of the
// page.
async function whole(store, file, onBytes) {
	const blob = await (await store.get(file, onBytes)).blob();
	if (blob.size !== file.size) {
		await store.drop(file);
		throw new Error(`${file.file} is damaged: it has ${blob.size} bytes, not ${file.size}. Reload the page.`);
	}
	return blob;
}

// opened is a pack, with where its packages lie: a line of JSON at its head tells.
async function opened(store, file, onBytes) {
	const blob = await whole(store, file, onBytes);
	const head = (await blob.slice(0, mostHead).text()).split("\n", 1)[0];
	const entries = JSON.parse(head);
	let at = new TextEncoder().encode(head).length + 1;
	for (const entry of entries) {
		entry.at = at;
		at += entry.size;
	}
	return { blob, entries };
}

// mostHead is more than any pack's first line has, in bytes.
const mostHead = 1 << 18;
