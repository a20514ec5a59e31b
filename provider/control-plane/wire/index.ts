export * from "./authentication";
export * from "./deployment";
export * from "./failure";
export * from "./revision";
