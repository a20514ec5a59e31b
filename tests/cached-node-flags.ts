// axios reads these flags for each request, and Node keeps them only on the `process` object that Jest has copied.
Object.defineProperty(process, "allowedNodeEnvironmentFlags", { value: process.allowedNodeEnvironmentFlags });
