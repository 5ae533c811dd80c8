// The model behind the figures: a worker with the library. All figures of a page share it.
// One that has failed is ended, and the next request starts another.
export class Model {
	#folder; #worker; #waiting = new Map(); #next = 0;

	constructor(folder) { this.#folder = folder; }

	// ask promises the answer to a request, as package live describes both.
	ask(request) {
		this.#worker ??= this.#start();
		const id = this.#next++;
		return new Promise((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject });
			this.#worker.postMessage({ id, request });
		});
	}

	#start() {
		const worker = new Worker(new URL("worker.js", this.#folder), { type: "module" });
		worker.onerror = (event) => this.#fail(worker, new Error(event.message || "what computes figures could not be started"));
		worker.onmessage = ({ data: { id, answer, error, broken } }) => {
			if (broken) return this.#fail(worker, new Error(broken));
			const { resolve, reject } = this.#waiting.get(id);
			this.#waiting.delete(id);
			if (error === undefined) resolve(answer);
			else reject(new Error(error));
		};
		return worker;
	}

	#fail(worker, error) {
		if (worker !== this.#worker) return;
		worker.terminate();
		this.#worker = undefined;
		for (const { reject } of this.#waiting.values()) reject(error);
		this.#waiting.clear();
	}
}
