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

const forEver = (path) => /^(assets|pictures)\//.test(path);
const ownCache = (path) => /^engine\/(?!probe).*\.(wasm|pack|a|br|gz|bin|zip)$/.test(path);

async function fresh(request) {
	const cache = await caches.open(cacheName);
	try {
		const response = await fetch(request);
		if (response.ok) await cache.put(request, response.clone());
		return response;
	} catch (error) {
		const kept = await cache.match(request);
		if (kept) return kept;
		throw error;
	}
}

async function kept(request) {
	const cache = await caches.open(cacheName);
	return (await cache.match(request)) ?? fresh(request);
}

self.addEventListener("fetch", (event) => {
	const url = new URL(event.request.url);
	if (event.request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(top)) return;
	if (event.request.headers.has("range")) return;
	const path = url.pathname.slice(top.length);
	if (ownCache(path)) return;
	event.respondWith(forEver(path) ? kept(event.request) : fresh(event.request));
});
