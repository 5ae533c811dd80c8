// A figure: a plane, its controls, its tools and what it says, put together by its kind.
import { Controls } from "./controls.js";
import { paintClasses, paintHeights } from "./ground.js";
import { glyph, Plane } from "./plane.js";

const fine = 150, coarse = 60; // cells along a side: at rest, as package plotx has them, and while something moves

const keys = "Keys on the figure: N and P choose the next and previous point, arrows move it (with Shift further)";
let next = 0;

export class Figure {
	#model; #settings; #kind; #name; #sample; #theme; #points; #centres; #controls; #plane; #facts; #status; #busy = false; #again; #timer; #playing; #playButton; #tool = "move"; #label = 0; #answer;

	// content is what package live has of all figures: {kinds, samples, theme}. name is that of
	// a kind, and sample that of its points: {points: [[x, y, class]], classes: [name], window,
	// axes, centres, surface}.
	constructor(model, content, name, sample, settings) {
		if (!content.kinds[name] || !content.samples[sample]) throw new Error("this page names a figure that is not there");
		this.#model = model;
		this.#name = name;
		this.#kind = content.kinds[name];
		this.#theme = content.theme;
		this.#sample = sample = content.samples[sample];
		this.#settings = settings; // those that have no control count, too
		this.#controls = new Controls(this.#kind.controls, settings, (changed) => this.#set(changed));
		this.#restore();
		this.element = document.createElement("div");
		this.element.className = "live-figure";
		const title = element("p", "live-title", this.#kind.title), help = element("p", "live-keys", this.#help());
		help.id = "live-help-" + next++;
		this.#plane = new Plane(this.#view === "surface" ? sample.surface.window : sample.window, this.#view === "surface" ? sample.surface.axes : sample.axes, this.#theme,
			this.#kind.title + ", a figure to change", help.id, {
				tool: () => this.#tool, said: (text) => this.#say(text), describe: (i) => this.#describe(i),
				moved: (i, x, y, done) => this.#moved(i, x, y, done), added: (x, y) => this.#added(x, y),
				relabelled: (i, label) => this.#relabelled(i, label), removed: (i) => this.#removed(i),
			});
		this.#facts = element("dl", "live-facts");
		this.#status = element("p", "unseen-label");
		this.#status.setAttribute("role", "status");
		const side = element("div", "live-side");
		side.append(title, this.#controls.element, this.#buttons(), ...this.#tools(), this.#facts, help, this.#status);
		this.element.append(this.#plane.element, side);
	}

	get #view() { return this.#kind.view; }
	get #hasPoints() { return this.#view !== "surface"; }
	get #hasClasses() { return this.#view === "classes"; }

	#restore() {
		this.#points = this.#sample.points.map((p) => [...p]);
		if (this.#view === "clusters") this.#begin(this.#sample.centres);
		if (this.#view === "surface") this.#centres = [[...this.#sample.surface.start]];
	}

	// begin puts up the first centres of k-means: those of the sample, where there are as many
	// as are asked for, else points drawn by the seed.
	#begin(given) {
		const count = this.#controls.get("count");
		if (given?.length === count) this.#centres = given.map((c) => [...c]);
		else this.#centres = drawn(this.#points, count, this.#controls.get("seed"));
	}

	#help() {
		const more = this.#hasPoints ? ", A adds one, Delete removes it" + (this.#hasClasses ? `, 0 to ${this.#sample.classes.length - 1} set its class` : "") : "";
		return "Move: drag a point, or press it and then its new place. " + keys + more + ".";
	}

	#buttons() {
		const row = element("div", "live-buttons");
		if (this.#view === "clusters") {
			row.append(button("Step", () => this.#step()), this.#player("Run"), button("New centres", () => { this.#pause(); this.#controls.forward("seed", 1); }));
		} else if (this.#kind.play) row.append(this.#player("Play"));
		row.append(button("Reset", () => { this.#pause(); this.#controls.reset(); this.#restore(); this.#ask(); this.#say("As it was."); }));
		return row;
	}

	#player(text) {
		this.#playButton = button(text, () => (this.#playing ? this.#pause() : this.#play()));
		this.#playButton.dataset.text = text;
		return this.#playButton;
	}

	#tools() {
		if (!this.#hasPoints) return [];
		const list = [["move", "Move"], ["add", "Add"], ["remove", "Remove"]];
		if (this.#hasClasses) list.splice(2, 0, ["relabel", "Relabel"]);
		const sets = [radios("A press on the figure", list, (tool) => { this.#tool = tool; })];
		if (this.#hasClasses) sets.push(radios("Class of new and relabelled points", this.#sample.classes.map((name, i) => [String(i), name, glyph(i, this.#theme)]), (i) => { this.#label = Number(i); }));
		return sets;
	}

	#set(changed) {
		if (this.#view === "clusters") this.#begin(changed === "count" ? this.#sample.centres : undefined);
		this.#ask(true);
	}

	#play() {
		this.#playing = true;
		this.#playButton.textContent = "Pause";
		const { name } = this.#kind.play ?? {};
		if (name && !this.#canGo()) this.#controls.set(name, this.#controls.least(name));
		this.#ask(true);
	}
	#canGo() {
		const { name } = this.#kind.play, { max } = this.#kind.controls.find((c) => c.name === name);
		return this.#controls.get(name) < max;
	}
	#pause() {
		if (!this.#playing) return;
		this.#playing = false;
		this.#playButton.textContent = this.#playButton.dataset.text;
		this.#ask();
	}
	#go() {
		if (!this.#playing) return;
		if (!this.element.isConnected) return this.#pause();
		const slow = matchMedia("(prefers-reduced-motion: reduce)").matches ? 800 : this.#view === "clusters" ? 500 : 60;
		setTimeout(() => {
			if (!this.#playing) return;
			if (this.#view === "clusters") {
				if (this.#answer.done) this.#pause();
				else this.#step();
			} else if (this.#answer.done || !this.#controls.forward(this.#kind.play.name, this.#kind.play.by)) this.#pause();
		}, slow);
	}

	#step() {
		if (!this.#answer?.centres) return;
		if (this.#answer.done) return this.#say("No centre moves any more.");
		this.#centres = this.#answer.centres.map((c) => [...c]);
		this.#ask();
	}

	// What can be chosen on the plane: the points, then the centres.
	#describe(i) {
		const n = this.#hasPoints ? this.#points.length : 0, round = (v) => String(Number(v.toFixed(2)));
		if (i >= n) return `${this.#view === "surface" ? "The start" : "Centre " + (i - n + 1)} at ${this.#centres[i - n].map(round).join(", ")}`;
		const [x, y, label] = this.#points[i];
		return `Point ${i + 1} of ${n} at ${round(x)}, ${round(y)}` + (this.#hasClasses ? ", " + this.#sample.classes[label] : "");
	}

	#moved(i, x, y, done) {
		const n = this.#hasPoints ? this.#points.length : 0;
		if (i >= n) this.#centres[i - n] = [x, y];
		else [this.#points[i][0], this.#points[i][1]] = [x, y];
		this.#show();
		this.#ask(!done);
	}
	#added(x, y) {
		if (!this.#hasPoints) return;
		this.#points.push([x, y, this.#hasClasses ? this.#label : 0]);
		this.#show();
		this.#plane.choose(this.#points.length - 1);
		this.#ask();
	}
	#relabelled(i, label = this.#label) {
		if (!this.#hasClasses || label >= this.#sample.classes.length) return;
		this.#points[i][2] = label;
		this.#show();
		this.#say(this.#describe(i));
		this.#ask();
	}
	#removed(i) {
		if (!this.#hasPoints || i >= this.#points.length || this.#points.length === 1) return;
		this.#points.splice(i, 1);
		this.#show();
		this.#say(this.#points.length + " points are left.");
		this.#ask();
	}

	#say(text) { this.#status.textContent = text; }

	// draw promises the first answer on the plane.
	async draw() { await this.#compute(fine); }

	// fail says what a model cannot do in place of what it found.
	#fail(error) {
		this.#pause();
		const fact = element("div");
		fact.append(element("dt", "", "Not possible"), element("dd", "", error.message));
		this.#facts.replaceChildren(fact);
		this.#say(error.message);
	}

	// ask asks for what the figure shows now. While an answer is on its way the latest wish
	// waits; in passing the map is coarse, and fine once nothing has changed for a while.
	#ask(passing = false) {
		clearTimeout(this.#timer);
		if (this.#busy) { this.#again = true; return; }
		this.#compute(passing && !this.#playing ? coarse : fine).catch((error) => this.#fail(error));
		if (passing && !this.#playing) this.#timer = setTimeout(() => this.#ask(), 250);
	}

	async #compute(resolution) {
		this.#busy = true;
		try {
			const surface = this.#view === "surface";
			this.#answer = await this.#model.ask({
				figure: this.#name, points: this.#points, classes: this.#hasClasses ? this.#sample.classes.length : 0,
				window: surface ? this.#sample.surface.window : this.#sample.window, resolution: surface ? 100 : this.#view === "curve" ? 300 : resolution,
				settings: { ...this.#settings, ...this.#controls.values, centres: this.#centres },
			});
			this.element.dataset.resolution = resolution;
			this.#draw(this.#answer);
		} finally {
			this.#busy = false;
			if (this.#again) {
				this.#again = false;
				this.#ask(true);
			} else this.#go();
		}
	}

	#draw(answer) {
		if (answer.map) this.#plane.border(paintClasses(this.#plane.canvas, answer.map, this.#theme.grounds));
		if (answer.heights) this.#plane.border(paintHeights(this.#plane.canvas, answer.heights));
		if (answer.curve) this.#plane.curve(answer.curve);
		if (answer.path) this.#plane.trail(answer.path);
		this.#facts.replaceChildren(...answer.facts.map(({ name, value }) => {
			const fact = element("div");
			fact.append(element("dt", "", name), element("dd", "", value));
			return fact;
		}));
		this.#show();
	}

	#show() {
		const { sizes, rings, labels } = this.#answer ?? {};
		const items = this.#hasPoints ? this.#points.map(([x, y, label], i) => ({ x, y, label: this.#hasClasses ? label : labels?.[i] ?? 0, size: sizes?.[i], ring: rings?.includes(i) })) : [];
		for (const [i, [x, y]] of (this.#centres ?? []).entries()) items.push({ x, y, label: i, kind: "centre" });
		this.#plane.show(items);
	}
}

function element(name, className, text = "") {
	const e = document.createElement(name);
	if (className) e.className = className;
	e.textContent = text;
	return e;
}

export function button(text, press) {
	const b = element("button", "", text);
	b.type = "button";
	b.addEventListener("click", press);
	return b;
}

function radios(legend, list, chosen) {
	const set = element("fieldset", "live-tools"), name = "live-tool-" + next++;
	set.append(element("legend", "", legend));
	for (const [value, text, picture = ""] of list) {
		const label = document.createElement("label"), input = document.createElement("input");
		Object.assign(input, { type: "radio", name, value, checked: value === list[0][0] });
		input.addEventListener("change", () => chosen(value));
		label.append(input, picture, " " + text);
		set.append(label);
	}
	return set;
}

// drawn are different points by a seed (mulberry32, which is public domain).
function drawn(points, count, seed) {
	let state = (seed + 1) * 0x9e3779b9;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	const rest = points.map(([x, y]) => [x, y]);
	return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]);
}
