// The theme that the reader chose stands before the page is drawn, so that it does not flash.
"use strict";
try {
	const chosen = localStorage.getItem("mllabs theme");
	if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* a browser that keeps nothing follows the system */ }
