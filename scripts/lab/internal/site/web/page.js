// What every page does: the button for the theme, and the call of what runs cells. This is a
// plain script and no module, because a page that was opened from a file loads no modules.
"use strict";
(() => {
	const root = document.documentElement, body = document.body;

	const button = document.querySelector("button.theme");
	const system = matchMedia("(prefers-color-scheme: dark)");
	const dark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
	const label = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-label", dark() ? "Light theme" : "Dark theme"); };
	button.addEventListener("click", () => {
		root.dataset.theme = dark() ? "light" : "dark";
		try { localStorage.setItem("mllabs theme", root.dataset.theme); } catch { /* for this page only */ }
		label();
	});
	system.addEventListener("change", label);
	label();
	button.hidden = false;

	// What scrolls can be reached by the keyboard.
	const reach = () => {
		for (const e of document.querySelectorAll(".rich, .text table, .math.display")) {
			if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
			else e.removeAttribute("tabindex");
		}
	};
	addEventListener("resize", reach);
	addEventListener("load", reach);

	const served = location.protocol === "http:" || location.protocol === "https:";
	if (served && window.isSecureContext && "serviceWorker" in navigator) {
		navigator.serviceWorker.register(new URL(body.dataset.root + "offline.js", location.href)).catch(() => { /* the page works without */ });
	}

	const places = document.querySelectorAll(".live");
	if (places.length > 0 && !served) {
		for (const place of places) {
			const p = document.createElement("p");
			p.className = "note";
			p.textContent = "This figure moves on pages that a server sends, and this one was opened from a file.";
			place.append(p);
		}
	} else if (places.length > 0) {
		import(new URL(body.dataset.assets + "live/live.js", location.href)).then((live) => live.start(places)).catch(() => { /* the page reads well without */ });
	}

	const notebook = document.querySelector("main[data-engine]");
	if (!notebook) return;
	const note = document.getElementById("run-note");
	const say = (text) => { const p = document.createElement("p"); p.textContent = text; note.append(p); };
	if (!served) {
		say("This page was opened from a file, and browsers run Go only on pages that a server sends. " +
			"To run its cells, start one: go run ./scripts/lab site --serve in a checkout, or python3 -m http.server in the folder of the site, and open the address that it prints.");
		return;
	}
	import(new URL(body.dataset.assets + "run.js", location.href)).then((run) => run.start(notebook, note)).catch((error) => {
		say("What runs cells could not be loaded (" + error.message + "). Reading works; load the page again to try once more.");
	});
})();
