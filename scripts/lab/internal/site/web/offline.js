// A worker between the pages and the network: what was read once can be read without a
// network. Files whose names change with what is in them are taken from the cache; of all
// others the network's copy is wanted first. What the engine fetches in large pieces it
// keeps by itself.
"use strict";
const cacheName = "mllabs pages";
const top = new URL("./", self.location).pathname;

self.addEventListener("install", () => self.skipWaiting());

// The site's own folder of assets stands in place of this name when it is written, so that a
// new site has a new worker, which forgets the assets of the old one.
const assets = "ASSETS";

async function forget() {
	const cache = await caches.open(cacheName);
	for (const request of await cache.keys()) {
		const path = new URL(request.url).pathname.slice(top.length);
		if (new URL(request.url).pathname.startsWith(top) && path.startsWith("assets/") && !path.startsWith(assets)) await cache.delete(request);
	}
}

self.addEventListener("activate", (event) => event.waitUntil(forget().then(() => self.clients.claim())));

const forEver = (path) => /^(assets|pictures|engine\/scripts-[^/]+)\//.test(path);
const ownCache = (path) => /^engine\/(?!probe).*\.(wasm|pack|a|br|gz|bin|zip)$/.test(path);

// opened is the cache, or nothing where the browser gives none.
const opened = () => caches.open(cacheName).catch(() => undefined);

async function fresh(event) {
	const { request } = event, cache = await opened();
	let response;
	try {
		response = await fetch(request);
	} catch (error) {
		const kept = await cache?.match(request);
		if (kept) return kept;
		throw error;
	}
	// A page that cannot be kept, for want of room, is shown all the same.
	if (response.ok && cache) event.waitUntil(cache.put(request, response.clone()).catch(() => {}));
	return response;
}

async function kept(event) {
	const cache = await opened();
	return (await cache?.match(event.request)) ?? fresh(event);
}

self.addEventListener("fetch", (event) => {
	const url = new URL(event.request.url);
	if (event.request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(top)) return;
	if (event.request.headers.has("range")) return;
	const path = url.pathname.slice(top.length);
	if (ownCache(path)) return;
	event.respondWith(forEver(path) ? kept(event) : fresh(event));
});
