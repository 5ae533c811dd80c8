// A plane with points: it draws them over what lies under them, and lets them be moved,
// added, relabelled and removed by mouse, touch and keyboard.
const svgName = "http://www.w3.org/2000/svg";
const size = 1000; // of the plane, in units of the drawing
const margin = { left: 86, right: 14, top: 14, bottom: 84 };
const near = 18; // pixels within which a press is on a point

const star = 5; // the shape of centres
const of = (list, i) => list[i % list.length]; // colours and shapes repeat
const outline = (shape, x, y, r) => "M" + shape.map(([dx, dy]) => (x + r * dx).toFixed(1) + "," + (y - r * dy).toFixed(1)).join("L") + "Z";

export function make(name, attributes = {}, parent) {
	const e = document.createElementNS(svgName, name);
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
	parent?.append(e);
	return e;
}

// glyph is a picture of a class's points, for a legend.
export function glyph(label, { colors, shapes }) {
	const svg = make("svg", { class: "glyph", viewBox: "-15 -15 30 30", "aria-hidden": "true" });
	make("path", { d: outline(of(shapes, label), 0, 0, 10), fill: of(colors, label) }, svg);
	return svg;
}

export class Plane {
	#window; #names; #theme; #edit; #svg; #line; #layers = {}; #items = []; #drawn = []; #chosen = -1; #drag; #press; #picked = -1; // #picked: the point that the last press was on

	// window is [least x, greatest x, least y, greatest y]; names are those of the axes; theme
	// has the colours and shapes of the classes. edit:
	// {tool() "move", "add", "relabel" or "remove", moved(i, x, y, done), added(x, y),
	// relabelled(i, label), removed(i), said(text), describe(i)}.
	constructor(window, names, theme, label, help, edit) {
		this.#window = window;
		this.#names = names;
		this.#theme = theme;
		this.#edit = edit;
		this.element = document.createElement("div");
		this.element.className = "plane";
		this.canvas = document.createElement("canvas");
		this.#svg = make("svg", { viewBox: `${-margin.left} ${-margin.top} ${margin.left + size + margin.right} ${margin.top + size + margin.bottom}`, tabindex: 0, role: "application", "aria-label": label, "aria-describedby": help });
		this.element.append(this.canvas, this.#svg);
		this.#line = make("path", { class: "border" }, this.#svg);
		for (const layer of ["curve", "path", "points", "marks"]) this.#layers[layer] = make("g", { class: layer }, this.#svg);
		make("rect", { class: "frame", width: size, height: size }, this.#svg);
		this.#axes();
		this.#listen();
	}

	// x and y are where a value lies, in units of the drawing.
	x(x) { return ((x - this.#window[0]) / (this.#window[1] - this.#window[0])) * size; }
	y(y) { return ((this.#window[3] - y) / (this.#window[3] - this.#window[2])) * size; }
	#back(px, py) { return [this.#window[0] + (px / size) * (this.#window[1] - this.#window[0]), this.#window[3] - (py / size) * (this.#window[3] - this.#window[2])]; }

	#axes() {
		const [x0, x1, y0, y1] = this.#window, axes = make("g", { class: "axes", "aria-hidden": "true" }, this.#svg);
		for (const v of ticks(x0, x1)) {
			make("path", { d: `M${this.x(v)},${size}v10` }, axes);
			make("text", { x: this.x(v), y: size + 40, "text-anchor": "middle" }, axes).textContent = v;
		}
		for (const v of ticks(y0, y1)) {
			make("path", { d: `M0,${this.y(v)}h-10` }, axes);
			make("text", { x: -16, y: this.y(v) + 10, "text-anchor": "end" }, axes).textContent = v;
		}
		make("text", { x: size / 2, y: size + 78, "text-anchor": "middle" }, axes).textContent = this.#names[0];
		make("text", { x: 0, y: 0, transform: `translate(-62 ${size / 2}) rotate(-90)`, "text-anchor": "middle" }, axes).textContent = this.#names[1];
	}

	// border draws the line between classes, in cells of which there are so many on a side.
	border({ side, path }) {
		this.#line.setAttribute("d", path);
		this.#line.setAttribute("transform", `scale(${size / side})`);
	}

	// show draws items: {x, y, label, size, ring, kind}; a centre is an item of kind "centre".
	show(items) {
		this.#items = items;
		while (this.#drawn.length > items.length) this.#drawn.pop().remove();
		items.forEach((item, i) => {
			const e = (this.#drawn[i] ??= make("path", {}, this.#layers.points));
			const radius = item.kind === "centre" ? 22 : Math.min(11 * Math.sqrt(item.size ?? 1), 60);
			e.setAttribute("d", outline(of(this.#theme.shapes, item.kind === "centre" ? star : item.label), this.x(item.x), this.y(item.y), radius));
			e.setAttribute("class", [item.kind ?? "point", item.ring ? "ring" : ""].join(" "));
			e.setAttribute("fill", of(this.#theme.colors, item.label));
		});
		if (this.#chosen >= items.length) this.#chosen = items.length - 1;
		this.#mark();
	}

	// curve draws y over equal steps of x, and trail a path with its end.
	curve(ys) {
		const d = ys.map((y, i) => `${i ? "L" : "M"}${((i / (ys.length - 1)) * size).toFixed(1)},${Math.max(-size, Math.min(2 * size, this.y(y))).toFixed(1)}`).join("");
		this.#once("curve", "line", d);
	}
	trail(places) {
		const at = places.map(([x, y]) => [this.x(x), this.y(y)].map((v) => Math.max(-9e4, Math.min(9e4, v)).toFixed(1)));
		this.#once("path", "trail", "M" + at.join("L"));
		this.#once("path", "steps", at.map(([x, y]) => `M${x},${y}h0`).join(""));
	}
	#once(layer, name, d) {
		const e = this.#layers[layer].querySelector("." + name) ?? make("path", { class: name }, this.#layers[layer]);
		e.setAttribute("d", d);
	}

	#mark() {
		this.#layers.marks.replaceChildren();
		const item = this.#items[this.#chosen];
		if (item) make("circle", { class: "chosen", cx: this.x(item.x), cy: this.y(item.y), r: 30 }, this.#layers.marks);
	}

	choose(i, silent) {
		this.#chosen = i;
		this.#mark();
		if (!silent && i >= 0) this.#edit.said(this.#edit.describe(i));
	}

	// at is where an event is, in units of the plane, and how large a pixel is there.
	#at(event) {
		const box = this.#svg.getBoundingClientRect(), unit = (margin.left + size + margin.right) / box.width;
		return { px: (event.clientX - box.left) * unit - margin.left, py: (event.clientY - box.top) * unit - margin.top, unit };
	}

	#nearest(event) {
		const { px, py, unit } = this.#at(event);
		let found = -1, least = near * unit;
		this.#items.forEach((item, i) => {
			const d = Math.hypot(this.x(item.x) - px, this.y(item.y) - py) - (item.kind === "centre" ? 12 : 0);
			if (d < least) [found, least] = [i, d];
		});
		return found;
	}

	#inside = (px, py) => px >= 0 && px <= size && py >= 0 && py <= size;
	#put(i, px, py, done) { this.#edit.moved(i, ...this.#back(Math.max(0, Math.min(size, px)), Math.max(0, Math.min(size, py))), done); }

	#listen() {
		const svg = this.#svg;
		// A finger on a point moves it; elsewhere it moves the page.
		svg.addEventListener("touchstart", (event) => { if (this.#nearest(event.touches[0]) >= 0 && event.cancelable) event.preventDefault(); }, { passive: false });
		svg.addEventListener("pointerdown", (event) => {
			if (event.button !== 0) return;
			svg.focus({ preventScroll: true });
			const i = this.#nearest(event), { px, py } = this.#at(event), tool = this.#edit.tool(), picked = this.#picked;
			this.#picked = -1;
			if (tool === "move" && i >= 0) {
				this.choose(i, true);
				this.#drag = { i, from: [px, py], moved: false };
				svg.setPointerCapture(event.pointerId);
			} else this.#press = { i, tool, picked };
		});
		svg.addEventListener("pointermove", (event) => {
			const { px, py, unit } = this.#at(event);
			if (!this.#drag) {
				svg.classList.toggle("over", this.#nearest(event) >= 0);
				return;
			}
			this.#drag.moved ||= Math.hypot(px - this.#drag.from[0], py - this.#drag.from[1]) > 3 * unit;
			if (this.#drag.moved) this.#put(this.#drag.i, px, py, false);
		});
		svg.addEventListener("pointerup", (event) => {
			const { px, py } = this.#at(event), drag = this.#drag, press = this.#press;
			this.#drag = this.#press = undefined;
			if (drag?.moved) return this.#put(drag.i, px, py, true);
			if (drag) {
				this.#picked = drag.i;
				return this.choose(drag.i);
			}
			if (press && this.#inside(px, py)) this.#pressed(press, px, py);
		});
		svg.addEventListener("pointercancel", () => { this.#drag = this.#press = undefined; });
		svg.addEventListener("keydown", (event) => { if (this.#key(event)) event.preventDefault(); });
		svg.addEventListener("blur", () => { this.#picked = -1; });
		svg.addEventListener("focus", () => {
			if (this.#chosen >= 0 || this.#items.length === 0 || !svg.matches(":focus-visible")) return;
			this.choose(Math.max(0, this.#items.findIndex((item) => item.kind === "centre")));
		});
	}

	#pressed({ i, tool, picked }, px, py) {
		if (tool === "add") this.#edit.added(...this.#back(px, py));
		else if (tool === "remove" && i >= 0) this.#edit.removed(i);
		else if (tool === "relabel" && i >= 0) this.#edit.relabelled(i);
		// Without a drag, for those who cannot: a press on a point, and the next where it goes. A
		// press on an empty place alone moves nothing.
		else if (tool === "move" && i < 0 && picked >= 0 && picked === this.#chosen) this.#put(picked, px, py, true);
	}

	#key({ key, shiftKey, ctrlKey, altKey, metaKey }) {
		this.#picked = -1;
		if (ctrlKey || altKey || metaKey) return false;
		const step = shiftKey ? size / 10 : size / 100, item = this.#items[this.#chosen], count = this.#items.length;
		const arrows = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
		const lower = key.toLowerCase();
		if (arrows[key] && item) this.#put(this.#chosen, this.x(item.x) + arrows[key][0], this.y(item.y) + arrows[key][1], true);
		else if (lower === "n" && count > 0) this.choose((this.#chosen + 1) % count);
		else if (lower === "p" && count > 0) this.choose((this.#chosen - 1 + count) % count);
		else if (lower === "a") this.#edit.added(...(item ? this.#back(Math.min(size, this.x(item.x) + 30), this.y(item.y)) : this.#back(size / 2, size / 2)));
		else if (/^[0-9]$/.test(key) && item) this.#edit.relabelled(this.#chosen, Number(key));
		else if ((key === "Delete" || key === "Backspace") && item) this.#edit.removed(this.#chosen);
		else return false;
		if (arrows[key]) this.#edit.said(this.#edit.describe(this.#chosen));
		return true;
	}
}

// ticks are round numbers between two others.
function ticks(from, to) {
	const raw = (to - from) / 5, power = 10 ** Math.floor(Math.log10(raw)), step = power * [1, 2, 5, 10].find((m) => m * power >= raw);
	const list = [];
	for (let v = Math.ceil(from / step) * step; v <= to + 1e-9; v += step) list.push(Number(v.toPrecision(6)));
	return list;
}
