import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../storage/own-files";
import { Book } from "./deployment-timers";
import type { BookParts } from "./deps";

const bookFile = "gateway.sqlite";

/** Dependencies of books. */
export interface BooksParts extends Pick<BookParts, "clock" | "complain"> {
  /** Folder of a deployment's data. */
  dataFolder: (deploymentId: string) => string;
  agent: (deploymentId: string) => ReturnType<BookParts["agent"]>;
}

/** Books of all deployments, opened when first needed. */
export class Books {
  readonly #open = new Map<string, Book>();
  #closed = false;

  constructor(private readonly parts: BooksParts) {}

  of(deploymentId: string): Book {
    const found = this.#open.get(deploymentId);
    if (found) return found;
    if (this.#closed) throw new Error("The control plane is closing.");
    const { dataFolder, agent, clock, complain } = this.parts;
    const folder = dataFolder(deploymentId);
    makeOwnFolder(folder);
    const book = new Book(join(folder, bookFile), { clock, complain, agent: () => agent(deploymentId) });
    this.#open.set(deploymentId, book);
    return book;
  }

  /**
   * Opens the existing books of these deployments, so that due work in them is done. A book that cannot be opened does
   * not prevent other deployments from being served.
   */
  resume(deploymentIds: string[]): void {
    for (const id of deploymentIds)
      try {
        if (existsSync(join(this.parts.dataFolder(id), bookFile))) this.of(id);
      } catch (error) {
        this.parts.complain(error);
      }
  }

  forget(deploymentId: string): void {
    this.#open.get(deploymentId)?.close();
    this.#open.delete(deploymentId);
  }

  close(): void {
    this.#closed = true;
    for (const deploymentId of [...this.#open.keys()]) this.forget(deploymentId);
  }
}
