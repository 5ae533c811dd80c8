// A worker that lasts as long as the page: it holds Go's compiler and linker, the composer,
// and the packages that cells import. Cells flow in, a program flows out, or what is wrong
// with them.
import { Asking } from "./asking.js";
import { serve } from "./execute.js";
import { Store } from "./store.js";

const modules = {};
let packs, options, unpack;

// start fetches and compiles the tools, and the packages of a course.
async function start({ base, manifest, course }, id) {
	const store = new Store(base, manifest);
	const wanted = manifest.courses[course].map((name) => manifest.packs[name]);
	const total = (await Promise.all([...Object.values(manifest.tools), ...wanted].map((file) => store.bytes(file)))).reduce((a, b) => a + b);
	let loaded = 0;
	const heard = (what) => (bytes) => {
		loaded += bytes;
		postMessage({ of: id, what, loaded: Math.min(Math.round(loaded), total), total });
	};
	const tool = async (name) => { modules[name] = await compiled(store, manifest.tools[name], heard("Go's tools")); };
	options = { lang: manifest.lang, debug: manifest.debug };
	unpack = (heard) => Promise.all(wanted.map((file) => unpacked(store, file, heard)));
	[packs] = await Promise.all([unpack(heard("the library")), ...Object.keys(manifest.tools).map(tool)]);
	await serve(modules.compose);
	store.tidy();
}

async function compiled(store, file, heard) {
	const response = await store.get(file, heard); // whose own error says what to do
	try {
		return await WebAssembly.compileStreaming(response);
	} catch (error) {
		await store.drop(file);
		throw new Error(`${file.file} was cut short or is damaged, or this browser cannot run it (${error.message}). Reload the page.`);
	}
}

// unpacked is a pack, with where its packages lie: a line of JSON at its head tells.
async function unpacked(store, file, heard) {
	const bytes = new Uint8Array(await (await store.get(file, heard)).arrayBuffer());
	if (bytes.length !== file.size) {
		await store.drop(file);
		throw new Error(`${file.file} is damaged: it has ${bytes.length} bytes, not ${file.size}. Reload the page.`);
	}
	let at = bytes.indexOf(10) + 1;
	const entries = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)));
	for (const entry of entries) {
		entry.at = at;
		at += entry.size;
	}
	return { bytes, entries };
}

// tool runs the compiler or the linker in a worker of its own, which gets the packages and
// gives them back. Where that fails they are lost with the worker, and unpacked again. It
// collects its garbage as eagerly as gc says (GOGC): a page has little memory.
async function tool(name, argv, gc, sources, out) {
	const worker = new Asking(new URL("tool.js", import.meta.url));
	try {
		const given = { module: modules[name], argv: [name, ...argv], env: { GOGC: gc }, sources, packs, out };
		const answer = await worker.ask("run", given, { transfer: packs.map((p) => p.bytes.buffer) });
		packs = answer.packs;
		return answer;
	} catch (error) {
		packs = await unpack(() => {});
		throw error;
	} finally {
		worker.end();
	}
}

const compile = (sources) => tool("compile", ["-o", "cells.a", "-p", "main", "-complete", "-dwarf=false", "-c=1", "-e", "-lang=" + options.lang,
	"-trimpath", "/work", "-importcfg", "importcfg", "-pack", ...Object.keys(sources).sort()], "100", sources, "cells.a");

const link = (object) => tool("link", ["-o", "cells.wasm", "-importcfg", "importcfg", "-buildmode=exe", "-s", "-w",
	...(options.debug ? ["-X=runtime.godebugDefault=" + options.debug] : []), "cells.a"], "25", { "cells.a": object }, "cells.wasm");

const programs = new Map(); // the latest, by key

// build makes the program of cells; own is the cell that runs in a program of its own, or
// -1. A cell that does not compile is left out, and the others are tried again; the page
// hears of that at once.
async function build({ cells, own }, id) {
	const { compose, said } = globalThis.mllabsCompose;
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
			({ files, ...answer } = JSON.parse(said(compiled.said)));
			if (!answer.fewer) return { ...answer, rest: answer.rest || "the compiler failed: " + compiled.said.trim().slice(0, 1000), times };
		}
		if (answer.problems.length > 0) postMessage({ of: id, ...answer, times });
		if (compiled.code !== 0) continue;
		const linked = await link(compiled.made);
		took("link");
		if (linked.code !== 0) return { ...answer, rest: linked.said.trim().slice(0, 1000), times };
		const module = await WebAssembly.compile(linked.made);
		took("module");
		times.bytes = { compile: compiled.memory, link: linked.memory, program: linked.made.length };
		programs.set(answer.key, module);
		if (programs.size > 2) programs.delete(programs.keys().next().value);
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
