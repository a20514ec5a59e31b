// axios reads these flags for each request, but Node caches them only on the `process` object that Jest has copied.
Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value: process.allowedNodeEnvironmentFlags });
