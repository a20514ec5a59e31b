import { Server, ServerCredentials, status, type handleUnaryCall } from "@grpc/grpc-js";
import { type IResourceMonitorServer, ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../../../provider/resource/inputs/values";

/** Fake resource monitor of an engine. It records the resources that a program registers. */
export class FakeMonitor {
  readonly registered: messages.RegisterResourceRequest[] = [];
  readonly invoked: messages.ResourceInvokeRequest[] = [];
  /** URNs of resources that other processes have registered. */
  readonly others = new Set<string>();
  /** Returns the outputs of a resource, in addition to its inputs. If it throws, the resource fails. */
  outputsOf: (request: messages.RegisterResourceRequest) => Props | Promise<Props> = () => ({});
  /** Returns the result of a function that a program calls. */
  resultOf: (token: string, args: Props) => Props | Promise<Props> = () => ({});

  private constructor(
    readonly address: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<FakeMonitor> {
    const server = new Server();
    const unary =
      <Request, Response>(
        work: (request: Request) => Promise<Response>,
      ): handleUnaryCall<Request, Response> =>
      ({ request }, respond) =>
        void work(request).then(
          (response) => respond(null, response),
          (error: unknown) => respond({ code: status.UNKNOWN, details: (error as Error).message }),
        );
    const implementation: Partial<IResourceMonitorServer> = {
      getDeploymentInfo: unary(async () =>
        new messages.DeploymentInfo().setSupportedfeaturesList(
          Object.values(messages.ResourceMonitorFeature).filter((one) => typeof one === "number"),
        ),
      ),
      registerResource: unary((request) => monitor.register(request)),
      registerResourceOutputs: unary(async () => new Empty()),
      invoke: unary(async (request) => {
        const args = request.getArgs()!.toJavaScript();
        if (request.getTok() === "pulumi:pulumi:getResource") return monitor.resource(args["urn"] as string);
        monitor.invoked.push(request);
        return new messages.ResourceInvokeResponse().setReturn(
          struct(await monitor.resultOf(request.getTok(), args)),
        );
      }),
    };
    server.addService(ResourceMonitorService, implementation as IResourceMonitorServer);
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    const monitor = new FakeMonitor(`127.0.0.1:${port}`, server);
    return monitor;
  }

  close(): void {
    this.server.forceShutdown();
  }

  /** Returns the registration of a resource. */
  registration(name: string, type: string): messages.RegisterResourceRequest {
    const found = this.registered.find((one) => one.getName() === name && one.getType().endsWith(type));
    if (!found) throw new Error(`${type} ${name} is not registered.`);
    return found;
  }

  /** Returns a registered resource. Fails for any other, like the engine. */
  private async resource(urn: string): Promise<messages.ResourceInvokeResponse> {
    if (!this.others.has(urn) && !this.registered.some((one) => urnOf(one) === urn))
      throw new Error(`unknown resource ${urn}`);
    return new messages.ResourceInvokeResponse().setReturn(struct({ urn, state: {} }));
  }

  private async register(
    request: messages.RegisterResourceRequest,
  ): Promise<messages.RegisterResourceResponse> {
    this.registered.push(request);
    const outputs = { ...request.getObject()!.toJavaScript(), ...(await this.outputsOf(request)) };
    return new messages.RegisterResourceResponse()
      .setUrn(urnOf(request))
      .setId(request.getCustom() ? `${request.getName()}-id` : "")
      .setObject(struct(outputs));
  }
}

function urnOf(request: messages.RegisterResourceRequest): string {
  return `urn:pulumi:dev::shop::${request.getType()}::${request.getName()}`;
}

/** Encodes properties as a protobuf struct. Omits undefined properties. */
function struct(props: Props): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(props)) as Record<string, JavaScriptValue>);
}
