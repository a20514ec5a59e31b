export * from "./authentication";
export * from "./oauth";
