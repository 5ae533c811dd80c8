// A worker whose answer does not come: it waits for what no browser knows of.
onmessage = () => new Promise(() => {});
