import { superjson } from "./modules.mjs";

/** Names of fields that the serialization format of the runtime's state rejects. */
const refused = ["__proto__", "constructor", "prototype"];

/**
 * Makes objects serializable if they have fields whose names the serialization format rejects. Metadata, inputs, and
 * states may contain any names, and a single failure would prevent all other data from being written.
 */
export function keepAllNames() {
  superjson.registerCustom(
    {
      isApplicable: (value) => isPlain(value) && refused.some((name) => Object.hasOwn(value, name)),
      // The entries are a single string, because the format identifies shared objects by their path, and the path is
      // different after reading.
      serialize: (value) => ({ entries: superjson.stringify(Object.entries(value)) }),
      deserialize: ({ entries }) => Object.fromEntries(superjson.parse(entries)),
    },
    "entries",
  );
}

function isPlain(value) {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
