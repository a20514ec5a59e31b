export * from "./authentication";
export * from "./deployment";
export * from "./dialects";
export * from "./failure";
export * from "./integration";
export * from "./listener";
export * from "./oauth";
export * from "./revision";
