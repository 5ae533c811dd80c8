// Asks the student for a data file that the site does not have, where the cell that opens it
// shows its output. The file stays in this browser.
import { button } from "./cellview.js";

// askFile shows the question in outputs and promises the file that was chosen, or null. Once
// signal is aborted, because the program has ended, the question is gone.
export function askFile(outputs, { name, title, url, licence, size, wrong }, signal) {
	if (signal.aborted) return Promise.resolve(null);
	const p = outputs.note("", "note"), chooser = document.createElement("input"), home = document.createElement("a"), label = document.createElement("label");
	home.href = url;
	home.textContent = url;
	home.target = "_blank"; // the program waits in this one
	home.rel = "noopener";
	chooser.type = "file";
	label.append("Choose " + name + ": ", chooser);
	p.classList.add("asks");
	const why = `This cell opens ${name} (${title}, ${size.toLocaleString("en")} bytes; licence: ${licence}). This site does not have it: download it from `;
	const lines = [line(...(wrong ? [wrong + " It has to be the file from "] : [why]), home, ". It stays in your browser, and is asked for once."), line(label)];
	return new Promise((resolve) => {
		const answer = (file) => { p.remove(); resolve(file); };
		signal.addEventListener("abort", () => answer(null));
		chooser.addEventListener("change", () => { if (chooser.files[0]) answer(chooser.files[0]); });
		p.append(...lines, line(button("Go on without it", "", () => answer(null))));
		chooser.focus();
	});
}

function line(...parts) {
	const span = document.createElement("span");
	span.append(...parts);
	return span;
}
