/** Codes of JSON-RPC and of the protocol. */
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

/** An error in the form of JSON-RPC. */
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
