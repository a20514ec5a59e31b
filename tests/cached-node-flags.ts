// axios reads these flags for each request. Node caches them only on the original `process` object, but tests see a
// copy that Jest has made.
Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value: process.allowedNodeEnvironmentFlags });
