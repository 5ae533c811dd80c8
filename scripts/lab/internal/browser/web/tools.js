// A worker that lasts as long as the page: it holds Go's compiler and linker, the composer,
// and the packages that cells import. Cells flow in, a program flows out, or what is wrong
// with them.
import { Asking } from "./asking.js";
import { serve } from "./execute.js";
import { Store } from "./store.js";

const modules = {};
let packs, options;

// start fetches and compiles the tools, and the packages of a course.
async function start({ base, manifest, course }, id) {
	const store = new Store(base, manifest);
	const wanted = manifest.courses[course].map((name) => manifest.packs[name]);
	const total = (await Promise.all([...Object.values(manifest.tools), ...wanted].map((file) => store.bytes(file)))).reduce((a, b) => a + b);
	let loaded = 0;
	const onBytes = (what) => (bytes) => {
		loaded += bytes;
		postMessage({ of: id, what, loaded: Math.min(Math.round(loaded), total), total });
	};
	const tool = async (name) => { modules[name] = await compiled(store, manifest.tools[name], onBytes("Go's tools")); };
	options = { lang: manifest.lang, debug: manifest.debug };
	const library = Promise.all(wanted.map((file) => opened(store, file, onBytes("the library"))));
	[packs] = await Promise.all([library, ...Object.keys(manifest.tools).map(tool)]);
	await serve(modules.compose);
	store.tidy();
}

async function compiled(store, file, onBytes) {
	const response = await store.get(file, onBytes); // whose own error says what to do
	try {
		return await WebAssembly.compileStreaming(response);
	} catch (error) {
		await store.drop(file);
		throw new Error(`${file.file} was cut short or is damaged, or this browser cannot run it (${error.message}). Reload the page.`);
	}
}

// opened is a pack, with where its packages lie: a line of JSON at its head tells. It is a
// Blob, which a browser keeps on the disk, and not in the memory of the page.
async function opened(store, file, onBytes) {
	const blob = await (await store.get(file, onBytes)).blob();
	if (blob.size !== file.size) {
		await store.drop(file);
		throw new Error(`${file.file} is damaged: it has ${blob.size} bytes, not ${file.size}. Reload the page.`);
	}
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

// tool runs the compiler or the linker in a worker of its own. To collect garbage more
// eagerly (GOGC=10) makes the linker's memory smaller by 50 MB of 260, and costs a third
// more time for each change of a cell: it is not worth that.
async function tool(name, argv, sources, out) {
	const worker = new Asking(new URL("tool.js", import.meta.url));
	try {
		return await worker.ask("run", { module: modules[name], argv: [name, ...argv], sources, packs, out });
	} finally {
		worker.end();
	}
}

const compile = (sources) => tool("compile", ["-o", "cells.a", "-p", "main", "-complete", "-dwarf=false", "-c=1", "-e", "-lang=" + options.lang,
	"-trimpath", "/work", "-importcfg", "importcfg", "-pack", ...Object.keys(sources).sort()], sources, "cells.a");

const link = (object) => tool("link", ["-o", "cells.wasm", "-importcfg", "importcfg", "-buildmode=exe", "-s", "-w",
	...(options.debug ? ["-X=runtime.godebugDefault=" + options.debug] : []), "cells.a"], { "cells.a": object }, "cells.wasm");

const programs = new Map(); // the latest, by key

// makeRoom drops programs before another is linked: those of earlier texts of the cells, or
// all but the latest where a cell gets a program of its own.
function makeRoom(own) {
	if (own < 0) programs.clear();
	else if (programs.size > 1) programs.delete(programs.keys().next().value);
}

// build makes the program of cells; own is the cell that runs in a program of its own, or
// -1. A cell that does not compile is left out, and the others are tried again; the page
// gets the problems at once.
async function build({ cells, own }, id) {
	const { compose, diagnose } = globalThis.mllabsCompose;
	let begun = performance.now();
	const times = {}, took = (what) => {
		times[what] = (times[what] ?? 0) + performance.now() - begun;
		begun = performance.now();
	};
	let { files, ...answer } = JSON.parse(compose(JSON.stringify(cells), own));
	took("compose");
	for (;;) {
		if (programs.has(answer.key)) return { ...answer, module: programs.get(answer.key), times };
		const compiled = await compile(files);
		took("compile");
		if (compiled.code !== 0) {
			({ files, ...answer } = JSON.parse(diagnose(compiled.output)));
			if (!answer.fewer) return { ...answer, rest: answer.rest || "the compiler failed: " + compiled.output.trim().slice(0, 1000), times };
		}
		if (answer.problems.length > 0) postMessage({ of: id, ...answer, times });
		if (compiled.code !== 0) continue;
		makeRoom(own);
		const linked = await link(compiled.made);
		took("link");
		if (linked.code !== 0) return { ...answer, rest: linked.output.trim().slice(0, 1000), times };
		const module = await WebAssembly.compile(linked.made);
		took("module");
		times.bytes = { compile: compiled.memory, link: linked.memory, program: linked.made.length };
		programs.set(answer.key, module);
		return { ...answer, module, times };
	}
}

const jobs = { start, build };
let last = Promise.resolve(); // one job after the other: they share the packages

onmessage = ({ data: { id, job, ...rest } }) => {
	last = last.then(async () => {
		try {
			postMessage({ id, value: await jobs[job](rest, id) });
		} catch (error) {
			postMessage({ id, error: error.message });
		}
	});
};
