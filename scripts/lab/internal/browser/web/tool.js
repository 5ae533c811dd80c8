// A worker that runs the compiler or the linker once and is then done with: what they take
// of memory is given back only with their worker. It reads a package when the tool opens it.
import { execute, files } from "./execute.js";
import { release } from "./release.js";

const reader = new FileReaderSync();
const bytesOf = (blob) => new Uint8Array(reader.readAsArrayBuffer(blob));

let module;

// compile makes the tool ready to run: a module, or the Blob of one. The answer is {}, or
// {damaged} with the browser's words where that is no module.
async function compile({ tool }) {
	if (tool instanceof WebAssembly.Module) {
		module = tool;
		return {};
	}
	const bytes = await tool.arrayBuffer();
	try {
		module = await WebAssembly.compile(bytes);
	} catch (error) {
		if (error instanceof WebAssembly.CompileError) return { damaged: error.message };
		throw error;
	}
	release(bytes);
	return {};
}

// run runs it. sources are files by name, packs are [{blob, entries: [{path, at, size}]}], and
// out is the name of the file that is wanted. The answer is {code, output, memory, made}.
async function run({ argv, env, sources, packs, out }) {
	const config = [];
	for (const { blob, entries } of packs) {
		for (const { path, at, size } of entries) {
			files.putRead(`/pkg/${path}.a`, size, () => bytesOf(blob.slice(at, at + size)));
			config.push(`packagefile ${path}=/pkg/${path}.a\n`);
		}
	}
	const encoder = new TextEncoder();
	files.put("importcfg", encoder.encode(config.join("")));
	for (const [name, text] of Object.entries(sources)) files.put(name, typeof text === "string" ? encoder.encode(text) : text);
	const decoder = new TextDecoder();
	let output = "", ended;
	files.write = (fd, bytes) => { output += decoder.decode(bytes, { stream: true }); };
	files.crash = (bytes) => files.write(2, bytes);
	let made;
	try {
		ended = await execute(module, argv, env);
		if (ended.code === 0) made = files.take(out);
	} catch (error) {
		ended = { code: 2 };
		output += "\n" + error;
	}
	return { ...ended, output, made };
}

const jobs = { compile, run };

onmessage = async ({ data: { id, job, ...rest } }) => {
	try {
		const value = await jobs[job](rest);
		postMessage({ id, value }, value?.made ? [value.made.buffer] : []);
	} catch (error) {
		postMessage({ id, error: error.message });
	}
};
addEventListener("error", (event) => event.preventDefault()); // told by execute
