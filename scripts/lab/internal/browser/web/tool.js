// A worker that runs the compiler or the linker once and is then done with: what they take
// of memory is given back only with their worker. It borrows the packages.
import { execute, files } from "./execute.js";

// sources are files by name, packs are [{bytes, entries: [{path, at, size}]}], and out is the
// name of the file that is wanted. The answer is {code, said, memory, made, packs}.
onmessage = async ({ data: { id, module, argv, env, sources, packs, out } }) => {
	const config = [];
	for (const { bytes, entries } of packs) {
		for (const { path, at, size } of entries) {
			files.put(`/pkg/${path}.a`, bytes.subarray(at, at + size));
			config.push(`packagefile ${path}=/pkg/${path}.a\n`);
		}
	}
	const encoder = new TextEncoder();
	files.put("importcfg", encoder.encode(config.join("")));
	for (const [name, text] of Object.entries(sources)) files.put(name, typeof text === "string" ? encoder.encode(text) : text);
	const decoder = new TextDecoder();
	let said = "", ended;
	files.write = (fd, bytes) => { said += decoder.decode(bytes, { stream: true }); };
	files.crash = (bytes) => files.write(2, bytes);
	try {
		ended = await execute(module, argv, env);
	} catch (error) {
		ended = { code: 2 };
		said += "\n" + error;
	}
	const made = ended.code === 0 ? files.get(out).slice() : undefined;
	postMessage({ id, value: { ...ended, said, made, packs } }, [...packs.map((p) => p.bytes.buffer), ...(made ? [made.buffer] : [])]);
};
addEventListener("error", (event) => event.preventDefault()); // told by execute
