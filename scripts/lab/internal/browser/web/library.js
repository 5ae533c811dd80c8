// The data files that programs open, and the recorded answers of other people's programs.
// Files that may be given on come with the site; for any other the page asks somebody who
// has it. What it was given is kept in this browser.

const cacheName = "mllabs-data";

export class Library {
	#store; #files; #answers; #here = new Map(); // bytes, by name
	#recorded = new Map(); // promises of text, by key
	#asking = Promise.resolve(); // ends when the question before has an answer

	// data of the manifest are by name: {title, url, licence, size, sha256, given}, given
	// being what the site has of it. recorded are answers by their question's key.
	constructor(store, { data, recorded }) {
		this.#store = store;
		this.#files = data;
		this.#answers = recorded;
	}

	// recorded promises an answer that was recorded, and calls onRecorded with its key; there
	// may be none.
	recorded(key, onRecorded) {
		if (!Object.hasOwn(this.#answers, key)) return undefined;
		onRecorded?.(key);
		if (!this.#recorded.has(key)) {
			const text = this.#store.get(this.#answers[key]).then((response) => response.text());
			this.#recorded.set(key, text);
			text.catch(() => this.#recorded.delete(key)); // it may be there the next time
		}
		return this.#recorded.get(key);
	}

	get names() { return Object.keys(this.#files); }

	// get promises the bytes of a file, or undefined if it cannot be had. What came once is
	// here. Somebody is asked by ask(file, signal), for one file after the other; once signal
	// is aborted nobody is.
	async get(name, ask, signal) {
		const bytes = this.#here.get(name) ?? await this.#bring(name, ask, signal);
		if (bytes) this.#here.set(name, bytes);
		return bytes;
	}

	async #bring(name, ask, signal) {
		if (!Object.hasOwn(this.#files, name)) return undefined;
		const file = this.#files[name];
		if (file.given) return bytesOf(await this.#store.get(file.given));
		const cache = await globalThis.caches?.open(cacheName).catch(() => undefined);
		// Named by what it holds, which is the same for all pages of this address.
		const key = new URL("/mllabs-data/" + file.sha256, location.href).href;
		const kept = await cache?.match(key);
		if (kept) return bytesOf(kept);
		if (!ask) return undefined;
		const asked = this.#asking.then(() => chosen({ name, ...file }, ask, signal));
		this.#asking = asked.catch(() => {});
		const bytes = await asked;
		if (bytes) await cache?.put(key, new Response(bytes)).catch(() => {}); // full: it is asked for again
		return bytes;
	}
}

// chosen promises the bytes that somebody chooses for a file, who is asked until they are
// the published ones; undefined if there are none.
async function chosen(file, ask, signal) {
	const over = new Promise((resolve) => signal?.addEventListener("abort", () => resolve(null)));
	for (let wrong = ""; !signal?.aborted; ) {
		const blob = await Promise.race([ask({ ...file, wrong }, signal), over]);
		if (!blob) return undefined;
		wrong = unlikeSize(blob.size, file); // before it takes memory
		if (wrong) continue;
		const bytes = await bytesOf(blob).catch(() => undefined);
		wrong = bytes ? await unlike(bytes, file) : "It cannot be read.";
		if (!wrong) return bytes;
	}
}

const bytesOf = async (body) => new Uint8Array(await body.arrayBuffer());

// unlike says why bytes are not those of a file, "" if they are. Pages without https cannot
// compute the sum; the program does so, too.
async function unlike(bytes, { size, sha256 }) {
	if (bytes.length !== size) return unlikeSize(bytes.length, { size });
	const sum = await globalThis.crypto.subtle?.digest("SHA-256", bytes);
	if (sum && hex(sum) !== sha256) return "It has the size of the published file, but not its SHA-256.";
	return "";
}

const unlikeSize = (has, { size }) => (has === size ? "" : `It has ${has} bytes, and the published file has ${size}.`);

const hex = (sum) => [...new Uint8Array(sum)].map((b) => b.toString(16).padStart(2, "0")).join("");
