import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { systemClock } from "../../../provider/clock";
import { SessionPool } from "../../../provider/session/session-pool";
import { construct } from "../../../sdk/components/construct";
import { connect, send, struct } from "../../provider/hosts/plugin/client";
import { RecordedLog } from "../../provider/recorded-log";
import { FakeMonitor } from "./fake-monitor";
import { startPlugin } from "./plugin-process";

/** Commit that the environments and services in these tests are built from. */
export const commit = "1".repeat(40);
/** Source of the environments and services in these tests. */
export const source = {
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: commit, graphConfigPath: "langgraph.json" },
};
/** URN of the stack, which is the parent of the components. */
export const stackUrn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";

/** Provider plugin that constructs components for the fake monitor of an engine. */
export class Construction {
  monitor!: FakeMonitor;
  client!: ResourceProviderClient;

  private constructor() {}

  /** Returns a construction that starts before each test of the file. */
  static forEachTest(): Construction {
    const construction = new Construction();
    beforeEach(() => construction.start());
    afterEach(() => construction.monitor.close());
    return construction;
  }

  private async start(): Promise<void> {
    this.monitor = await FakeMonitor.start();
    this.client = await connect({
      kindOf: () => undefined,
      sessions: new SessionPool({ env: {}, clock: systemClock, random: () => 0.5 }),
      log: new RecordedLog(),
      schema: () => "{}",
      construct: (request, signal) =>
        construct(request, {
          engine: this.monitor.address,
          options: { version: "1.2.3", pluginDownloadURL: "github://x" },
          signal,
        }),
    });
  }

  /** Returns a request in the format of the engine. */
  request(type: string, name: string, inputs: object): messages.ConstructRequest {
    return new messages.ConstructRequest()
      .setProject("shop")
      .setStack("dev")
      .setOrganization("acme")
      .setParallel(16)
      .setMonitorendpoint(this.monitor.address)
      .setParent(stackUrn)
      .setType(`agentserver:index:${type}`)
      .setName(name)
      .setInputs(struct(inputs));
  }

  /** Returns the failure of a request; `undefined` if it succeeds. */
  failureOf(request: messages.ConstructRequest): Promise<Pick<ServiceError, "code" | "details"> | undefined> {
    return send(this.client, "construct", request).then(
      () => undefined,
      (error: unknown) => {
        const { code, details } = error as ServiceError;
        return { code, details };
      },
    );
  }

  /** Runs `work` with a plugin in a separate process. In that process, an output that nothing waits for may fail. */
  async inProcess<Result>(cwd: string, work: () => Promise<Result>): Promise<Result> {
    const plugin = await startPlugin(this.monitor.address, { cwd });
    try {
      this.client = plugin.client;
      return await work();
    } finally {
      plugin.close();
    }
  }
}
