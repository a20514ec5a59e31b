import { store } from "./modules.mjs";

/**
 * Makes the store keep and return copies, like a store that is accessed over a network. If a graph later changes a
 * value, the store is not affected.
 */
export function handOutCopies() {
  const batch = store.batch.bind(store);
  store.batch = async (operations) => {
    const results = await batch(operations.map(withOwnValue));
    return results.map(copyOf);
  };
}

function withOwnValue(operation) {
  const isPut = "value" in operation && operation.value !== null;
  return isPut ? { ...operation, value: JSON.parse(JSON.stringify(operation.value)) } : operation;
}

function copyOf(result) {
  if (Array.isArray(result)) return result.map(copyOf);
  const isItem = typeof result === "object" && result !== null && "value" in result;
  return isItem ? { ...result, value: structuredClone(result.value) } : result;
}
