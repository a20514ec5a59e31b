import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

/** Prefix of the names of all throwaway deployments. */
export const namePrefix = "as-conf-";

/** Pattern of the names of throwaway deployments: the prefix and 48 random bits. */
export const ownName = /^as-conf-[0-9a-f]{12}$/;

const creation = z.object({
  event: z.literal("creating"),
  /** Name of the deployment, or ID of its agent if the server generates the name. */
  name: z.string().regex(ownName),
  baseUrl: z.string(),
  tenantId: z.string().optional(),
  dialect: z.enum(["interface", "langsmith"]),
});
const event = z.discriminatedUnion("event", [
  creation,
  z.object({ event: z.literal("created"), name: z.string(), id: z.string() }),
  z.object({ event: z.literal("removed"), name: z.string() }),
]);

/** Throwaway deployment that may still exist. */
export interface Leftover extends Omit<z.infer<typeof creation>, "event"> {
  /** IDs of the deployments with this name; empty if a response was lost. */
  ids: readonly string[];
}

/**
 * File that lists the throwaway deployments. A name is recorded before the deployment is created, so that a killed run
 * can be cleaned up.
 */
export class Journal {
  constructor(private readonly file: string) {}

  /** Records that a deployment is about to be created. */
  creating(entry: Omit<z.infer<typeof creation>, "event">): void {
    this.append({ event: "creating", ...entry });
  }

  created(name: string, id: string): void {
    this.append({ event: "created", name, id });
  }

  /** Records that no deployment with this name exists any longer. */
  removed(name: string): void {
    this.append({ event: "removed", name });
  }

  /** Returns the deployments that have not been removed. An incomplete last line is ignored. */
  leftovers(): Leftover[] {
    const found = new Map<string, Leftover & { ids: string[] }>();
    for (const line of existsSync(this.file) ? readFileSync(this.file, "utf8").split("\n") : []) {
      const entry = parsed(line);
      if (entry?.event === "creating") found.set(entry.name, { ...entry, ids: [] });
      if (entry?.event === "created") found.get(entry.name)?.ids.push(entry.id);
      if (entry?.event === "removed") found.delete(entry.name);
    }
    return [...found.values()];
  }

  /** Deletes the file if everything has been removed. */
  close(): void {
    if (this.leftovers().length === 0) rmSync(this.file, { force: true });
  }

  private append(entry: z.infer<typeof event>): void {
    mkdirSync(dirname(this.file), { recursive: true });
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true });
  }
}

function parsed(line: string): z.infer<typeof event> | undefined {
  try {
    return event.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
