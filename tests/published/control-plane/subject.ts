import type { DialectName } from "../../../wire";
import type { Deployment, Resources, Revision } from "../../emulator/answers";
import { type Client, creationIn, type Rig, start } from "../../emulator/control-plane/client";
import { archiveOf } from "../../emulator/control-plane/uploads/archive";
import { upload } from "../../emulator/control-plane/uploads/rig";
import { fromImage } from "../walk/deployments";

const archive = archiveOf({ "langgraph.json": "{}" });

export const deployments = "/v2/deployments";

/** Bodies of create requests, by source. */
export const creations: Record<string, (dialect: DialectName) => object> = {
  github: (dialect) => creationIn(dialect, "agent", { secrets: [{ name: "KEY", value: "value" }] }),
  external_docker: () => fromImage("agent"),
  internal_docker: () => bare("internal_docker"),
  internal_source: () => bare("internal_source"),
  internal_template: () => bare("internal_template"),
};

function bare(source: string): object {
  return { name: "agent", source, source_config: {}, source_revision_config: {}, secrets: [] };
}

/** The deployment under test. */
export class Subject {
  private constructor(
    private readonly rig: Rig,
    private readonly path: string,
  ) {}

  static async make(dialect: DialectName, { source = "github" }: { source?: string }): Promise<Subject> {
    const rig = await start({ dialect });
    const { body, status } = await rig.client.post<Deployment>(deployments, creations[source]!(dialect));
    expect(status).toBe(201);
    await rig.clock.advance(60_000);
    return new Subject(rig, `${deployments}/${body.id}`);
  }

  get client(): Client {
    return this.rig.client;
  }

  /**
   * Returns a value of a field that is valid for this deployment. Only archives that were uploaded for this deployment
   * are valid.
   */
  valueFor(field: string, otherwise: unknown): Promise<unknown> {
    const uploaded = field === "source_revision_config.source_tarball_path";
    return uploaded ? upload(this.client, this.path.split("/").at(-1)!, archive) : Promise.resolve(otherwise);
  }

  /**
   * Sends a PATCH request. Returns the number of revisions that the request created, and the new value at a path in the
   * record.
   */
  async patch(body: object, at: string) {
    const before = await this.revisions();
    const answer = await this.client.patch<Deployment>(this.path, body);
    const after = await this.revisions();
    const { unknownFields } = this.rig.plane.admin.journal({ method: "PATCH" }).at(-1)!;
    // The newest revision is first, and the record refers to it.
    if (answer.status === 200) expect(answer.body.latest_revision_id).toBe(after[0] ?? null);
    expect(after.slice(after.length - before.length)).toEqual(before);
    const { body: record } = await this.client.get<Record<string, unknown>>(this.path);
    await this.rig.clock.advance(60_000);
    return {
      status: answer.status,
      made: after.length - before.length,
      value: valueAt(record, at),
      unknownFields,
    };
  }

  private async revisions(): Promise<string[]> {
    const { body } = await this.client.get<Resources<Revision>>(`${this.path}/revisions`);
    return body.resources.map(({ id }) => id);
  }
}

/** Returns the value at a path in a record. */
function valueAt(record: Record<string, unknown>, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], record);
}
