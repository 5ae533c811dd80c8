// The data files that programs open, and the recorded answers of Python. Each is fetched when
// it is first needed.
export class Library {
	#store; #files; #answers; #loaded = new Map(); // promises by key

	// The manifest lists data files by name, and recorded answers by the key of their question.
	constructor(store, { data, recorded }) {
		this.#store = store;
		this.#files = data;
		this.#answers = recorded;
	}

	get names() { return Object.keys(this.#files); }

	// file promises the bytes of the data file with this name.
	file(name) {
		return this.#get("file " + name, this.#files[name], async (response) => new Uint8Array(await response.arrayBuffer()));
	}

	// recorded promises an answer that was recorded, and calls onRecorded with its key; there
	// may be none.
	recorded(key, onRecorded) {
		if (!Object.hasOwn(this.#answers, key)) return undefined;
		onRecorded?.(key);
		return this.#get("answer " + key, this.#answers[key], (response) => response.text());
	}

	// get fetches a file once and promises what read makes of the response. After a failure
	// the next call tries again.
	#get(key, file, read) {
		if (!this.#loaded.has(key)) {
			const loading = this.#store.get(file).then(read);
			this.#loaded.set(key, loading);
			loading.catch(() => this.#loaded.delete(key));
		}
		return this.#loaded.get(key);
	}
}
