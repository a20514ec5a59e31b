import type { ResourceOperation } from "./preview";

const operations: Record<string, ResourceOperation> = {
  create: "create",
  import: "create",
  update: "update",
  delete: "delete",
  discard: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "delete-replaced": "replace",
  "discard-replaced": "replace",
  "import-replacement": "replace",
  "remove-pending-replace": "same",
  read: "read",
  "read-replacement": "read",
  same: "same",
};

/**
 * Returns the operation of a step. An operation that this release does not know is treated as an update, so that the
 * report does not omit it.
 */
export function operationOf(op: string): ResourceOperation {
  return Object.hasOwn(operations, op) ? operations[op]! : "update";
}
