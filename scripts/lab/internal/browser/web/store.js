// What the page fetches, and where it is kept.
//
// Over https, or from this machine, all browsers take brotli apart where the server says that
// it is brotli; some take apart what a script hands them, everywhere. A probe finds out which it
// is. Else they fetch gzip and take that apart; where they cannot, the files as they are. What
// was fetched is kept in Cache Storage, whole, so that a second visit fetches nothing; where
// there is none (it takes https, or this machine), the browser's own cache has to do.

const cacheName = "mllabs-engine";
const types = { wasm: "application/wasm" };

export class Store {
	#base; #manifest; #way; #cache;

	constructor(base, manifest) {
		this.#base = base;
		this.#manifest = manifest;
	}

	url(file) { return new URL(file.file, this.#base).href; }

	// mark is kept once a file is kept whole: Firefox also keeps what had come of one when a
	// worker ends, as if that were all.
	#mark(file) { return this.url(file) + "?whole"; }

	async #kept() {
		this.#cache ??= globalThis.caches?.open(cacheName).catch(() => undefined) ?? Promise.resolve(undefined);
		return this.#cache;
	}

	// has says whether a file is kept.
	async has(file) { return Boolean(await this.#found(file)); }

	// found is what is kept of a file, whole, or undefined.
	async #found(file) {
		const cache = await this.#kept();
		return await cache?.match(this.#mark(file)) && await cache.match(this.url(file));
	}

	// bytes is how much is fetched for a file that is not kept.
	async bytes(file) {
		const { form } = await this.#fetched();
		return form ? file[form] : file.size;
	}

	// fetched is how files are fetched: in which form, "br", "gz" or "" as they are, and by
	// what name DecompressionStream knows it, "" where the browser does all.
	async #fetched() {
		this.#way ??= this.#probe();
		return this.#way;
	}

	async #probe() {
		const probe = this.#manifest.probe;
		try {
			// An answer from another day may not be true any more.
			const response = await fetch(this.url(probe) + ".br", { cache: "no-store" });
			const { byteLength } = await response.arrayBuffer();
			if (response.ok && byteLength === probe.size) return { form: "br", packed: "" };
			if (response.ok && byteLength === probe.br && unpacks("brotli")) return { form: "br", packed: "brotli" };
		} catch {
			// a server that says br of what is none; the others will do
		}
		return unpacks("gzip") ? { form: "gz", packed: "gzip" } : { form: "", packed: "" };
	}

	// get is a file as a response. onBytes is called with how much more of it has come, as it
	// is fetched.
	async get(file, onBytes = () => {}) {
		const kept = await this.#found(file);
		if (kept) {
			onBytes(await this.bytes(file));
			return kept;
		}
		const cache = await this.#kept(), url = this.url(file);
		if (!cache) return this.#fetch(file, onBytes);
		const response = await this.#fetch(file, onBytes); // whose own error says what to do
		try {
			await this.drop(file);
			await cache.put(url, response);
			await cache.put(this.#mark(file), new Response());
			return await cache.match(url) ?? this.#fetch(file);
		} catch (error) {
			if (error.name === "QuotaExceededError") return this.#fetch(file);
			// Firefox has no words for it.
			throw new Error(`${file.file} could not be fetched to its end. Reload the page.`, { cause: error });
		}
	}

	// drop forgets a file that is not what it should be.
	async drop(file) {
		const cache = await this.#kept();
		await cache?.delete(this.#mark(file));
		await cache?.delete(this.url(file));
	}

	// unusable drops a module that a browser cannot compile, which gave these words, and
	// promises the error to throw.
	async unusable(file, words) {
		await this.drop(file);
		return new Error(`${file.file} was cut short or is damaged, or this browser cannot run it (${words}). Reload the page.`);
	}

	// tidy forgets what an earlier version of this site has kept.
	async tidy() {
		const cache = await this.#kept();
		if (!cache) return;
		const { tools, packs, data, recorded } = this.#manifest;
		const wanted = new Set([...Object.values(tools), ...Object.values(packs), ...Object.values(data), ...Object.values(recorded)].flatMap((file) => [this.url(file), this.#mark(file)]));
		for (const { url } of await cache.keys()) {
			if (url.startsWith(new URL(".", this.#base).href) && !wanted.has(url)) await cache.delete(url);
		}
	}

	async #fetch(file, onBytes = () => {}) {
		const { form, packed } = await this.#fetched(), url = this.url(file);
		const response = await fetch(form ? url + "." + form : url);
		if (!response.ok) throw new Error(`${url} cannot be fetched: the server says ${response.status}`);
		// Where the browser unpacks, for the server or for one on the way, what comes is unpacked.
		const whole = await this.bytes(file), encoded = response.headers.get("Content-Encoding");
		const counted = encoded && packed !== "brotli" ? file.size : whole;
		let body = response.body.pipeThrough(new TransformStream({
			transform(part, to) {
				onBytes(part.length * whole / counted);
				to.enqueue(part);
			},
		}));
		if (packed) body = await unpacked(body, packed);
		const type = types[file.file.split(".").pop()] ?? "application/octet-stream";
		return new Response(body, { headers: { "Content-Type": type } });
	}
}

// unpacks says whether this browser takes a form apart for a script.
function unpacks(form) {
	try {
		return Boolean(new DecompressionStream(form));
	} catch {
		return false;
	}
}

// unpacked takes a form apart, unless the browser has done so for the server, which the first
// bytes tell: those of gzip, or those of a WebAssembly module, as which some servers send
// .wasm.br and nothing else. Brotli has no checksum, as gzip has: https has to do.
async function unpacked(body, form) {
	const reader = body.getReader();
	const { value, done } = await reader.read();
	const rest = new ReadableStream({
		start(to) { if (!done) to.enqueue(value); },
		async pull(to) {
			const { value, done } = await reader.read();
			if (done) to.close();
			else to.enqueue(value);
		},
		cancel(why) { return reader.cancel(why); },
	});
	const begins = (...bytes) => !done && bytes.every((byte, i) => value[i] === byte);
	const packed = form === "gzip" ? begins(0x1f, 0x8b) : !begins(0, 0x61, 0x73, 0x6d);
	return packed ? rest.pipeThrough(new DecompressionStream(form)) : rest;
}
