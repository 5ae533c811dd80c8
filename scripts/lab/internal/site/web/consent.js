// Nothing large is fetched unasked: the first press of Run says what will come, and the
// answer can be kept.

const key = "mllabs get ready";

export function keptConsent() {
	try { return localStorage.getItem(key) === "yes"; } catch { return false; }
}

function keep(yes) {
	try { yes ? localStorage.setItem(key, "yes") : localStorage.removeItem(key); } catch { /* asks again */ }
}

export const megabytes = (bytes) => (bytes < 950_000 ? Math.max(1, Math.round(bytes / 1000)) + " kB" : (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0) + " MB");

// ask shows what a first run fetches and resolves to whether it may.
export function ask({ download, memory }) {
	const dialog = document.createElement("dialog");
	dialog.setAttribute("aria-labelledby", "consent-title");
	dialog.innerHTML = `<form method="dialog"><h2 id="consent-title" tabindex="-1" autofocus>Run Go in this page?</h2><p></p><p></p>
		<p><label><input type="checkbox" checked> From now on, get ready while I read</label></p>
		<p class="buttons"><button value="yes" class="main">Download and run</button> <button value="no">Not now</button></p></form>`;
	const [what, cost] = dialog.querySelectorAll("p");
	what.textContent = "Your code is built by the real Go compiler, which runs in your browser. Nothing is sent anywhere.";
	cost.textContent = "It takes a download of " + megabytes(download) + " from this site, once, and about " + megabytes(memory) + " of memory while the page is open.";
	// The title has the focus, so that a key that is still down agrees to nothing.
	document.body.append(dialog);
	dialog.showModal();
	return new Promise((resolve) => dialog.addEventListener("close", () => {
		const yes = dialog.returnValue === "yes";
		if (yes) keep(dialog.querySelector("input").checked);
		dialog.remove();
		resolve(yes);
	}));
}
