// An Asking is a worker that is asked one thing after the other and answers each: what is
// posted to it has an id, which its answer has, too. What it says before it answers is of
// that id.

// alive holds those that were not ended. Firefox may collect a worker that nothing refers to,
// although it works: while a module is compiled for it, say. Who asked it would wait for ever.
const alive = new Set();

export class Asking {
	#worker; #waiting = new Map(); #next = 0; #ended = false;

	constructor(url) {
		alive.add(this);
		this.#worker = new Worker(url, { type: "module" });
		this.#worker.onerror = (event) => this.end(new Error("A part of the Go tools cannot be started: " + (event.message ?? "its script cannot be fetched. Reload the page.")));
		this.#worker.onmessage = ({ data: { id, of, value, error, ...rest } }) => {
			if (of !== undefined) return this.#waiting.get(of)?.onMessage(rest);
			const { resolve, reject } = this.#waiting.get(id);
			this.#waiting.delete(id);
			if (error === undefined) resolve(value);
			else reject(new Error(error));
		};
	}

	// ended says that nothing will be answered any more.
	get ended() { return this.#ended; }

	// busy says that somebody waits for an answer.
	get busy() { return this.#waiting.size > 0; }

	// ask asks for a job. onMessage is called with what it says before it answers.
	ask(job, rest, { onMessage = () => {} } = {}) {
		if (this.#ended) return Promise.reject(new Error("The Go tools were ended."));
		const id = this.#next++;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject, onMessage });
			this.#worker.postMessage({ id, job, ...rest });
		});
	}

	// end ends the worker. Who waits for an answer gets this one, or the error.
	end(answer = new Error("The Go tools were ended.")) {
		this.#ended = true;
		alive.delete(this);
		this.#worker.terminate();
		for (const { resolve, reject } of this.#waiting.values()) answer instanceof Error ? reject(answer) : resolve(answer);
		this.#waiting.clear();
	}
}
