// Cells may have come from somebody else, and through syscall/js they reach all that their
// worker has. What could read what a page keeps, or talk to anybody but the page, is taken
// away before a program starts. It stands on objects and on the prototypes behind them.

const names = ["caches", "indexedDB", "fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "BroadcastChannel",
	"Worker", "SharedWorker", "importScripts", "webkitRequestFileSystem", "webkitRequestFileSystemSync", "webkitResolveLocalFileSystemURL",
	"webkitResolveLocalFileSystemSyncURL", "fonts", "FontFace", "RTCPeerConnection", "Notification", "cookieStore"];
const ofNavigator = ["serviceWorker", "storage", "locks", "storageBuckets", "webkitTemporaryStorage", "webkitPersistentStorage"];

function take(from, names) {
	for (let o = from; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) {
		for (const name of names) Reflect.deleteProperty(o, name);
	}
}

take(globalThis, names);
take(navigator, ofNavigator);
