export * from "./commit";
export * from "./deployment";
export * from "./dialects";
export * from "./failure";
export * from "./integration";
export * from "./listener";
export * from "./revision";
export * from "./nesting";
