// A Clock ends a program after a number of seconds, or a part of it after its own. It stands
// still only while the program does nothing and something that it asked the page for, such as a
// data file, is on its way: a program that computes meanwhile is timed.
export class Clock {
	#left; #ofPart = Infinity; #since; #timer; #late; #waiting = 0; #idle = false; #stopped = false; #now; #set; #clear;

	// late is called once, when a time is over, and told whether it is that of a part. Tests give
	// a time of their own.
	constructor(seconds, late, { now = () => performance.now(), set = (f, ms) => setTimeout(f, ms), clear = (timer) => clearTimeout(timer) } = {}) {
		this.#left = seconds * 1000;
		this.#late = late;
		this.#now = now;
		this.#set = set;
		this.#clear = clear;
		this.#update();
	}

	// wait and waited say that something is on its way, and that it has come: as often as there
	// are such things. idle says whether the program does nothing.
	wait() { this.#waiting++; this.#update(); }
	waited() { this.#waiting--; this.#update(); }
	idle(yes) { this.#idle = yes; this.#update(); }

	// part says that a part begins, which may take a number of seconds; without one none does. The
	// part before has ended.
	part(seconds = Infinity) {
		this.#halt();
		this.#ofPart = seconds * 1000;
		this.#update();
	}

	// stop ends the clock; nothing starts it again.
	stop() {
		this.#clear(this.#timer);
		this.#stopped = true;
	}

	#halt() {
		if (this.#since === undefined) return;
		this.#clear(this.#timer);
		const passed = this.#now() - this.#since;
		this.#left -= passed;
		this.#ofPart -= passed;
		this.#since = undefined;
	}

	#update() {
		const stands = this.#waiting > 0 && this.#idle;
		if (this.#stopped || stands === (this.#since === undefined)) return;
		if (stands) return this.#halt();
		this.#since = this.#now();
		const isPart = this.#ofPart < this.#left;
		this.#timer = this.#set(() => this.#late(isPart), Math.max(0, isPart ? this.#ofPart : this.#left));
	}
}
