import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RolloutJob, RolloutRunner, RunningAgent } from "../../../../emulator/index";

/** Request that an agent received. */
export interface ReceivedRequest {
  deploymentId: string;
  request: IncomingMessage;
}

/**
 * Runner for agents without an internal API, such as agents from images. The test responds to all requests to these
 * agents.
 */
export class OpenAgents implements RolloutRunner {
  readonly received: ReceivedRequest[] = [];

  constructor(private readonly answer: (received: ReceivedRequest, response: ServerResponse) => void) {}

  roll(job: RolloutJob): Promise<RunningAgent> {
    return this.restart(job);
  }

  async restart({ deploymentId }: RolloutJob): Promise<RunningAgent> {
    const server: Server = createServer((request, response) => {
      const received = { deploymentId, request };
      this.received.push(received);
      this.answer(received, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    let exit!: (reason: string) => void;
    const exited = new Promise<string>((resolve) => (exit = resolve));
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      exited,
      stop: () => {
        server.closeAllConnections();
        server.close();
        exit("asked to");
        return Promise.resolve();
      },
    };
  }
}
