import { createHash, randomBytes, randomUUID } from "node:crypto";
import { resolve, basename, join } from "node:path";
import type { GithubRepository } from "../../../wire";
import { Refusal } from "../refusal";
import type { IntegrationKind, StoredIntegration, StoredRepository } from "../store/integrations";
import type { Store } from "../store/store";
import type { IntegrationSeed } from "./seed";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** Path of the page that simulates the installation of the Git host's app. */
export const installationPath = "/v2/integrations/local";

/** Result of an installation, and the URL that the browser is redirected to. */
export interface Installed {
  integration: StoredIntegration;
  returnTo: string | null;
}

/** Installations of the Git host's app in workspaces, and the repositories that they have access to. */
export class IntegrationService {
  constructor(
    private readonly store: Store,
    private readonly baseUrl: () => string,
  ) {}

  list(tenantId: string, kind: IntegrationKind): StoredIntegration[] {
    return this.store.integrations.of(tenantId, kind);
  }

  /** Returns an integration of the workspace. Integrations of other workspaces are reported as not found. */
  integration(tenantId: string, kind: IntegrationKind, id: string): StoredIntegration {
    const found = this.store.integrations.find(id);
    if (found?.tenantId !== tenantId || found.kind !== kind)
      throw new Refusal(404, `Integration ID ${id} not found.`);
    return found;
  }

  repositories(integration: StoredIntegration): GithubRepository[] {
    const inFolder = integration.folder === null ? [] : repositoriesIn(integration.folder, integration.name);
    return [...integration.repositories, ...inFolder].map((repository) => ({
      host_integration_id: integration.id,
      id: idOf(repository),
      name: repository.name,
      owner: repository.owner,
      url: repository.url,
      default_branch: repository.defaultBranch,
    }));
  }

  /** Returns an installation link: the URL where a user installs the app. Opening it creates an integration. */
  installationLink(tenantId: string, kind: IntegrationKind, returnTo: string | null): string {
    const id = randomBytes(18).toString("base64url");
    this.store.integrations.insertInstallation({ id, tenantId, kind, returnTo });
    return `${this.baseUrl()}${installationPath}/${id}`;
  }

  /** Simulates a user who opens an installation link. Repeated calls for the same link return the same integration. */
  install(linkId: string): Installed {
    return this.store.transaction(() => {
      const link = this.store.integrations.findInstallation(linkId);
      if (!link) throw new Refusal(404, "The installation link does not exist.");
      const name = `local-${linkId.slice(0, 8)}`;
      const integration = this.seed({ name, kind: link.kind }, link.tenantId);
      return { integration, returnTo: link.returnTo };
    });
  }

  /** Creates an integration, or updates the existing one with the same name. */
  seed(seed: IntegrationSeed, defaultTenant: string): StoredIntegration {
    return this.store.transaction(() => {
      const { integrations } = this.store;
      const { name, kind = "github", tenantId = defaultTenant } = seed;
      const before = integrations.findByName(tenantId, kind, name);
      const id = seed.id ?? before?.id ?? randomUUID();
      const holder = integrations.find(id);
      if (holder && holder.id !== before?.id)
        throw new Refusal(409, `Integration ID ${id} belongs to '${holder.name}'.`);
      const made: StoredIntegration = {
        id,
        tenantId,
        kind,
        name,
        installationId:
          seed.installationId ?? before?.installationId ?? integrations.lastInstallationId() + 1,
        repositories: (seed.repositories ?? []).map((repository) => ({
          owner: repository.owner ?? name,
          name: repository.name,
          url: repository.url,
          defaultBranch: repository.defaultBranch ?? "main",
        })),
        folder: seed.folder === undefined ? null : resolve(seed.folder),
      };
      integrations.put(made);
      return made;
    });
  }

  /** Simulates a user who revokes the app's access. */
  remove(id: string): void {
    if (!this.store.integrations.find(id)) throw new Refusal(404, `Integration ID ${id} not found.`);
    this.store.integrations.remove(id);
  }
}

/** Returns the ID of a repository. A repository has the same ID in every response. */
function idOf({ url }: StoredRepository): number {
  return createHash("sha256").update(url).digest().readUIntBE(0, 6);
}

/**
 * Returns the git repositories in a folder: those directly in the folder, which belong to `owner`, and those one level
 * deeper.
 */
function repositoriesIn(folder: string, owner: string): StoredRepository[] {
  return subfolders(resolve(folder)).flatMap((path) => {
    if (isRepository(path)) return [repositoryAt(path, owner)];
    return subfolders(path)
      .filter(isRepository)
      .map((inner) => repositoryAt(inner, basename(path)));
  });
}

function repositoryAt(path: string, owner: string): StoredRepository {
  const head = readFileSync(join(gitFolder(path)!, "HEAD"), "utf8");
  return {
    owner,
    name: basename(path).replace(/\.git$/, ""),
    url: pathToFileURL(path).href,
    defaultBranch: /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? "main",
  };
}

function isRepository(path: string): boolean {
  return gitFolder(path) !== undefined;
}

/**
 * Returns the folder that contains the files of git itself, or `undefined` if the folder is not a repository. For a
 * bare repository, this is the folder of the repository itself.
 */
function gitFolder(path: string): string | undefined {
  return [path, join(path, ".git")].find(
    (candidate) => existsSync(join(candidate, "HEAD")) && existsSync(join(candidate, "objects")),
  );
}

function subfolders(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => join(path, name))
    .filter((inner) => statSync(inner, { throwIfNoEntry: false })?.isDirectory());
}
