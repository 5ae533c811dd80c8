// One engine for the page: it builds what stands in the cells and runs one of them after
// the other. What waits is dropped when somebody presses Stop.

export const stopped = { ended: "stopped", sentence: "Stopped.", at: [], scores: [] };

export class Session {
	#engine; #cells; #built; #queue = Promise.resolve(); #stops = 0; #loading; #warm = false;

	// cells() are the code cells as the engine wants them; built(result) is called with the
	// result of each build. Results have the cells that were built: meanwhile they may change.
	constructor(engine, { cells, built }) {
		this.#engine = engine;
		this.#cells = cells;
		this.#built = built;
	}

	// describe tells in bytes what a first run fetches, and needs of memory.
	describe() { return this.#engine.describe(); }

	// load fetches the tools, once.
	load(progress) {
		this.#loading ??= Promise.resolve(this.#engine.load(progress)).catch((error) => { this.#loading = undefined; throw error; });
		return this.#loading;
	}

	// warm says that the tools have built something since they were started: the first build
	// takes much longer than later ones.
	get warm() { return this.#warm; }

	// build builds the cells as they stand when their turn has come.
	build(begin) { return this.#inTurn(async () => { begin?.(); return this.#build(); }); }

	// run builds and runs a cell. events: {building(), running(), onText, onDisplay}.
	run(id, events) {
		return this.#inTurn(async () => {
			events.building();
			const built = await this.#build();
			if (built.ended) return { ...stopped, ...built }; // was stopped, or took too long
			if (!built.program || built.omitted?.includes(id)) return { ended: "omitted", sentence: "", at: [], scores: [], built };
			events.running();
			return { ...await this.#engine.run(built.program, id, events, {}), built };
		});
	}

	stop() {
		this.#stops++;
		this.#engine.stop();
	}

	async #build() {
		const cells = this.#cells(), result = { ...await this.#engine.build(cells), cells };
		this.#warm = !result.ended; // what was ended is started anew
		if (!result.ended) this.#built(result);
		return result;
	}

	#inTurn(job) {
		const stops = this.#stops;
		const turn = this.#queue.then(() => (stops === this.#stops ? job() : stopped));
		this.#queue = turn.catch(() => {});
		return turn;
	}
}
