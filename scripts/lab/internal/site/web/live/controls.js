// The controls of a figure: a form of ranges and choices, each with its label and value.

let next = 0;

export class Controls {
	#list; #first = {}; #inputs = new Map(); #changed;

	// list are the controls of a kind; settings are values other than theirs; changed is called
	// after each change.
	constructor(list, settings, changed) {
		this.#list = list;
		this.#changed = changed;
		this.element = document.createElement("div");
		this.element.className = "settings";
		for (const control of list) {
			const id = "live-" + next++, label = document.createElement("label"), value = first(control, settings[control.name]);
			label.htmlFor = id;
			label.textContent = control.label;
			this.#first[control.name] = value;
			const input = control.options ? select(control, value) : slider(control, value);
			input.id = id;
			const shown = document.createElement("output");
			shown.htmlFor = id;
			this.#inputs.set(control.name, { control, input, shown });
			input.addEventListener("input", () => {
				this.#show(control.name);
				changed(control.name);
			});
			this.element.append(label, input, shown);
			this.#show(control.name);
		}
	}

	#show(name) {
		const { control, input, shown } = this.#inputs.get(name);
		if (control.options) return;
		shown.textContent = String(Number(this.get(name).toPrecision(3)));
		if (control.power) input.setAttribute("aria-valuetext", shown.textContent);
	}

	get(name) {
		const { control, input } = this.#inputs.get(name);
		if (control.options) return input.value;
		return control.power ? 10 ** input.valueAsNumber : input.valueAsNumber;
	}

	set(name, value) {
		const { input } = this.#inputs.get(name);
		input.value = value;
		this.#show(name);
	}

	// forward moves a range on, and says whether it could.
	forward(name, by) {
		const { control, input } = this.#inputs.get(name);
		if (input.valueAsNumber >= control.max) return false;
		this.set(name, Math.min(input.valueAsNumber + by, control.max));
		this.#changed(name);
		return true;
	}

	reset() { for (const { name } of this.#list) this.set(name, this.#first[name]); }
	least(name) { return this.#inputs.get(name).control.min; }
	get values() { return Object.fromEntries(this.#list.map(({ name }) => [name, this.get(name)])); }
}

// first is what a control shows first: that of a setting, if there is one. A power shows the
// exponent.
function first({ value, power, options }, setting) {
	if (setting === undefined) return options ? options[0][0] : value;
	return power ? Math.log10(setting) : setting;
}

function slider({ min, max, step }, value) {
	const input = document.createElement("input");
	Object.assign(input, { type: "range", min, max, step });
	input.value = value;
	return input;
}

function select({ options }, value) {
	const input = document.createElement("select");
	for (const [key, text] of options) input.add(new Option(text, key, false, key === value));
	return input;
}
