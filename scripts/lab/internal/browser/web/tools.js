// A worker that lasts as long as the page: it holds Go's compiler and linker, the composer,
// and the packages that cells import. Cells flow in, a program flows out, or what is wrong
// with them.
import { Asking } from "./asking.js";
import { serve } from "./execute.js";
import { release } from "./release.js";
import { Store } from "./store.js";

let tools, packs, options;

// start loads the tools, and the packages of a course.
async function start({ base, manifest, course }, id) {
	const loading = new Asking(new URL("loading.js", import.meta.url));
	try {
		({ tools, packs } = await loading.ask("load", { base, manifest, course }, { onMessage: (progress) => postMessage({ of: id, ...progress }) }));
	} finally {
		loading.end();
	}
	options = { lang: manifest.lang, debug: manifest.debug };
	await serve(tools.compose);
	prepare();
	for (const [name, { compiled }] of prepared) {
		const { damaged } = await compiled;
		if (damaged) throw await new Store(base, manifest).unusable(manifest.tools[name], damaged);
	}
}

// The tools that have to be compiled for each run, by name, in workers that do so beforehand.
const prepared = new Map();

function prepare() {
	for (const name of ["compile", "link"]) {
		if (tools[name] instanceof Blob && !prepared.has(name)) prepared.set(name, newTool(name));
	}
}

function newTool(name) {
	const worker = new Asking(new URL("tool.js", import.meta.url));
	const compiled = worker.ask("compile", { tool: tools[name] });
	compiled.catch(() => {}); // whoever runs it is told
	return { worker, compiled };
}

// taken is a worker that runs a tool: the one that was prepared, unless it has failed since, as
// where the browser was short of memory.
async function taken(name) {
	const ready = prepared.get(name);
	prepared.delete(name);
	try {
		await ready?.compiled;
		if (ready && !ready.worker.ended) return ready.worker;
	} catch {
		ready.worker.end();
	}
	const { worker, compiled } = newTool(name);
	await compiled.catch((error) => { worker.end(); throw error; });
	return worker;
}

// tool runs the compiler or the linker in a worker of its own.
async function tool(name, argv, sources, out, env = {}) {
	const worker = await taken(name);
	try {
		return await worker.ask("run", { argv: [name, ...argv], env, sources, packs, out });
	} finally {
		worker.end();
	}
}

const compile = (sources) => tool("compile", ["-o", "cells.a", "-p", "main", "-complete", "-dwarf=false", "-c=1", "-e", "-lang=" + options.lang,
	"-trimpath", "/work", "-importcfg", "importcfg", "-pack", ...Object.keys(sources).sort()], sources, "cells.a");

const link = (object) => tool("link", ["-o", "cells.wasm", "-importcfg", "importcfg", "-buildmode=exe", "-s", "-w",
	...(options.debug ? ["-X=runtime.godebugDefault=" + options.debug] : []), "cells.a"], { "cells.a": object }, "cells.wasm", { GOGC: "30" }); // a smaller heap, in no more time

// The latest programs, by key, as bytes. The worker that runs one compiles it: what is
// compiled here would stay until garbage is collected.
const programs = new Map();

// makeRoom drops programs before another is linked: those of earlier texts of the cells, or
// all but the latest where a cell gets a program of its own.
function makeRoom(own) {
	while (programs.size > (own < 0 ? 0 : 1)) {
		const [key, bytes] = programs.entries().next().value;
		programs.delete(key);
		release(bytes.buffer);
	}
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
		if (programs.has(answer.key)) return { ...answer, made: programs.get(answer.key).slice().buffer, times };
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
		times.bytes = { compile: compiled.memory, link: linked.memory, program: linked.made.length };
		programs.set(answer.key, linked.made);
		return { ...answer, made: linked.made.slice().buffer, times };
	}
}

const jobs = { start, build };
let last = Promise.resolve(); // one job after the other: they share the packages

onmessage = ({ data: { id, job, ...rest } }) => {
	last = last.then(async () => {
		try {
			const value = await jobs[job](rest, id);
			postMessage({ id, value }, value?.made ? [value.made] : []);
		} catch (error) {
			postMessage({ id, error: error.message });
		}
		try {
			if (tools) prepare();
		} catch {
			// then the next run makes its own
		}
	});
};
