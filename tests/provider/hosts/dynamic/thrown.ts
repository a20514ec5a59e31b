import { canary } from "../../world";

/** Values that faulty code may throw. */
export const thrown: [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a string", `broken ${canary}-model`],
  ["an empty string", ""],
  ["a number", 42],
  ["an object", { code: 1, hint: `${canary}-model` }],
  ["an object with a message", { message: `broken ${canary}-model` }],
  ["an object without a prototype", Object.create(null)],
  ["an object that refers to itself", circular()],
  ["a symbol", Symbol("broken")],
  ["a function", () => canary.length],
  ["an error without a message", new Error("")],
  ["an error whose message is undefined", Object.assign(new Error(), { message: undefined })],
];

function circular(): unknown[] {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

/** Throws the value. Can be used as an expression. */
export function raise(value: unknown): never {
  throw value;
}
