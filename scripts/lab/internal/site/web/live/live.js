// The live figures of a page: each is put together when it comes into sight, from the kind
// that it names, and asks the model for what it shows.
import { button, Figure } from "./figure.js";
import { Model } from "./model.js";

const folder = new URL(".", import.meta.url);
let model, content;

export function start(places) {
	const seen = new IntersectionObserver((entries) => {
		for (const { target, isIntersecting } of entries) {
			if (!isIntersecting) continue;
			seen.unobserve(target);
			if (navigator.connection?.saveData) offer(target);
			else mount(target);
		}
	}, { rootMargin: "300px" });
	for (const place of places) seen.observe(place);
}

// offer waits for a press where the browser is told to save data.
function offer(place) {
	const load = button("Load this figure, 2 MB", () => { load.remove(); mount(place); });
	place.append(load);
}

// fetchContent promises what package live knows of all figures. What could not be fetched is
// fetched again the next time.
function fetchContent() {
	content ??= fetch(new URL("content.json", folder)).then((response) => {
		if (!response.ok) throw new Error("the server says " + response.status);
		return response.json();
	}).catch((error) => {
		content = undefined;
		throw error;
	});
	return content;
}

async function mount(place) {
	const status = document.createElement("p");
	status.className = "note";
	status.setAttribute("role", "status");
	status.textContent = "Loading what moves this figure, up to 2 MB, once.";
	place.append(status);
	try {
		model ??= new Model(folder);
		const figure = new Figure(model, await fetchContent(), place.dataset.figure, place.dataset.sample, JSON.parse(place.dataset.settings ?? "{}"));
		await figure.draw();
		place.replaceChildren(figure.element);
		place.classList.add("moves");
	} catch (error) {
		place.classList.add("failed");
		status.textContent = "This figure could not be loaded (" + error.message + "). ";
		status.append(button("Try again", () => {
			place.classList.remove("failed");
			status.remove();
			mount(place);
		}));
	}
}
