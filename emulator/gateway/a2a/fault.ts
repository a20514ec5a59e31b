/** Error codes of JSON-RPC and of the A2A protocol. */
export const code = {
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  noTask: -32001,
  notCancelable: -32002,
  unsupported: -32004,
  unsupportedContent: -32005,
};

/** A JSON-RPC error. */
export class Fault extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status: 200 | 400 = 400,
  ) {
    super(message);
  }
}

export const noTask = (id: string) => new Fault(code.noTask, `Task not found: ${id}`, 200);
