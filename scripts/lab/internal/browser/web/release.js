// release frees the memory of a buffer now. Left alone, a buffer that came of a Blob or of a
// Response keeps its memory until the browser collects garbage, and buffer.transfer(0) does
// not change that. What is sent through a channel whose other end is closed is dropped, and
// its memory with it.
const { port1: nowhere, port2: end } = new MessageChannel();
end.close();

export const release = (buffer) => nowhere.postMessage(null, [buffer]);
