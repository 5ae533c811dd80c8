// A worker that lasts as long as the page: Go's compiler and linker, the composer, and the
// packages that cells import. Cells flow in, a program flows out, or what is wrong with
// them.
import { execute, files, serve } from "./execute.js";
import { Store } from "./store.js";

const modules = {};
let manifest;

// start fetches and compiles the tools, and unpacks the packages of a course.
async function start({ base, manifest: given, course }) {
	manifest = given;
	const store = new Store(base, manifest);
	const packs = manifest.courses[course].map((name) => manifest.packs[name]);
	const total = (await Promise.all([...Object.values(manifest.tools), ...packs].map((file) => store.bytes(file)))).reduce((a, b) => a + b);
	let loaded = 0;
	const heard = (what) => (bytes) => {
		loaded += bytes;
		postMessage({ kind: "progress", what, loaded: Math.min(Math.round(loaded), total), total });
	};
	const config = [];
	const tool = async (name) => { modules[name] = await compiled(store, manifest.tools[name], heard("Go's tools")); };
	const pack = async (file) => { config.push(await unpack(store, file, heard("the library"))); };
	await Promise.all([...Object.keys(manifest.tools).map(tool), ...packs.map(pack)]);
	files.put("/work/importcfg", new TextEncoder().encode(config.join("")));
	await serve(modules.compose);
	store.tidy();
}

async function compiled(store, file, heard) {
	try {
		return await WebAssembly.compileStreaming(store.get(file, heard));
	} catch (error) {
		await store.drop(file);
		throw new Error(`${file.file} is damaged, or this browser cannot run it: ${error.message}`);
	}
}

// unpack puts the archives of a pack among the files, and returns where they are, as the
// compiler and the linker want to be told.
async function unpack(store, file, heard) {
	const bytes = new Uint8Array(await (await store.get(file, heard)).arrayBuffer());
	if (bytes.length !== file.size) {
		await store.drop(file);
		throw new Error(`${file.file} is damaged: it has ${bytes.length} bytes, not ${file.size}. Reload the page.`);
	}
	let at = bytes.indexOf(10) + 1, config = "";
	for (const { path, size } of JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)))) {
		files.put(`/pkg/${path}.a`, bytes.subarray(at, at + size));
		config += `packagefile ${path}=/pkg/${path}.a\n`;
		at += size;
	}
	return config;
}

// tool runs the compiler or the linker, and returns its exit code and words.
async function tool(name, args) {
	const decoder = new TextDecoder();
	let said = "";
	files.write = files.crash = (fd, bytes) => { said += decoder.decode(bytes, { stream: true }); };
	files.crash = (bytes) => files.write(2, bytes);
	try {
		const { code, memory } = await execute(modules[name], [name, ...args], { GOGC: globalThis.gogc ?? "25" });
		return { code, said, memory };
	} catch (error) {
		return { code: 2, said: said + "\n" + error };
	}
}

const programs = new Map(); // the latest, by key

// build makes the program of cells; own is the cell that runs in a program of its own, or
// -1. A cell that does not compile is left out, and the others are tried again.
async function build({ cells, own }) {
	const { compose, said } = globalThis.mllabsCompose;
	const times = {}, time = async (what, job) => {
		const begun = performance.now();
		const result = await job();
		times[what] = (times[what] ?? 0) + performance.now() - begun;
		return result;
	};
	let answer = JSON.parse(await time("compose", () => compose(JSON.stringify(cells), own)));
	for (;;) {
		const { files: sources, ...told } = answer;
		if (programs.has(answer.key)) return { ...told, module: programs.get(answer.key), times };
		const names = Object.keys(sources).sort();
		for (const name of names) files.put("/work/" + name, new TextEncoder().encode(sources[name]));
		const c = await time("compile", () => tool("compile", ["-o", "cells.a", "-p", "main", "-complete", "-dwarf=false", "-c=1", "-e",
			"-lang=" + manifest.lang, "-trimpath", "/work", "-importcfg", "importcfg", "-pack", ...names]));
		for (const name of names) files.drop("/work/" + name);
		if (c.code !== 0) {
			answer = JSON.parse(said(c.said));
			if (answer.fewer) continue;
			return { ...told, problems: answer.problems, rest: answer.rest || "the compiler failed: " + c.said.slice(0, 1000), times };
		}
		const debug = manifest.debug ? ["-X=runtime.godebugDefault=" + manifest.debug] : [];
		const l = await time("link", () => tool("link", ["-o", "cells.wasm", "-importcfg", "importcfg", "-buildmode=exe", "-s", "-w", ...debug, "cells.a"]));
		if (l.code !== 0) return { ...told, rest: l.said.trim().slice(0, 1000), times };
		const module = await time("module", () => WebAssembly.compile(files.get("cells.wasm")));
		times.bytes = { compile: c.memory, link: l.memory, program: files.get("cells.wasm").length };
		files.drop("cells.a");
		files.drop("cells.wasm");
		programs.set(answer.key, module);
		if (programs.size > 4) programs.delete(programs.keys().next().value);
		return { ...told, module, times };
	}
}

const jobs = { start, build };
let last = Promise.resolve(); // one job after the other: they share the files

onmessage = ({ data: { id, job, ...rest } }) => {
	last = last.then(async () => {
		try {
			postMessage({ kind: "answer", id, value: await jobs[job](rest) });
		} catch (error) {
			postMessage({ kind: "answer", id, error: error.message });
		}
	});
};
addEventListener("error", (event) => event.preventDefault()); // told by execute
