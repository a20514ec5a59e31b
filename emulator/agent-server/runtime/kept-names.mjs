import { superjson } from "./modules.mjs";

/** Names of fields that the format of the runtime's state rejects. */
const refused = ["__proto__", "constructor", "prototype"];

/**
 * Makes objects with such names serializable. Metadata, inputs and states may have any names, and one failure would
 * prevent everything else from being written.
 */
export function keepAllNames() {
  superjson.registerCustom(
    {
      isApplicable: (value) => isPlain(value) && refused.some((name) => Object.hasOwn(value, name)),
      // As one text: the format identifies shared objects by their path, which changes after reading.
      serialize: (value) => ({ entries: superjson.stringify(Object.entries(value)) }),
      deserialize: ({ entries }) => Object.fromEntries(superjson.parse(entries)),
    },
    "entries",
  );
}

function isPlain(value) {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
