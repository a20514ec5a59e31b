import { checkManifest, checkOverlay } from "./check";
import { type Fault, formatPlace, inOrder, type Place } from "./fault";
import { kindOf, manifestKinds, type ManifestKind, type ManifestSpec } from "./format";
import { type LocatedDocument, type ManifestFile, readDocuments } from "./located-document";
import { overlaid } from "./overlay";
import { literally } from "./references";
import { valueAt } from "./texts";

/** A resource that is declared in a manifest. References in its spec are not resolved. */
export interface DeclaredResource<Spec = unknown> {
  kind: ManifestKind;
  /** Name of the resource. */
  name: string;
  spec: Spec;
  /**
   * Returns the position of the value at a path of the manifest, such as `["spec", "source"]`, or the position of the
   * value's name.
   */
  place: (path: readonly string[], part?: "name" | "value") => Place;
}

/** A deployment that is declared in a manifest. */
export type DeclaredDeployment = DeclaredResource<ManifestSpec>;

/** Files that declare the deployments of a stack. */
export interface ManifestFiles {
  manifests: readonly ManifestFile[];
  /** Merge patches of the stack. */
  overlays?: readonly ManifestFile[];
}

/** Returns the declarations in the files of a stack, in the order of the files, and all faults in them. */
export function parseManifests({ manifests, overlays = [] }: ManifestFiles): {
  deployments: DeclaredDeployment[];
  /** Declared resources in deployments, such as assistants. */
  others: DeclaredResource[];
  faults: Fault[];
} {
  const base = readAll(manifests);
  const patches = readAll(overlays);
  const patchOf = byName(patches.documents);
  const merged = base.documents.map((document) => overlaid(document, patchOf.get(keyOf(document))));
  const faults = [
    ...base.faults,
    ...patches.faults,
    ...patches.documents.flatMap((patch) => locate(patch, checkOverlay(patch.value))),
    ...merged.flatMap((document) => locate(document, checkManifest(document.value))),
    ...ofEachKind(base.documents).flatMap((documents) => twice(documents, nameOf, "is already declared")),
    ...ofEachKind(patches.documents).flatMap((documents) =>
      twice(documents, nameOf, "already has an overlay"),
    ),
    ...twice(
      [...byName(merged).values()].filter(isDeployment),
      deploymentNameOf,
      "is already the name of another deployment",
    ),
    // The declarations of a file that cannot be read are unknown.
    ...(base.faults.length > 0
      ? []
      : [...overlaysWithoutManifest(patches.documents, base.documents), ...homeless(merged)]),
  ];
  if (faults.length > 0) return { deployments: [], others: [], faults: inOrder(faults) };
  const declared = merged.map(asDeclared);
  return {
    deployments: declared.filter(({ kind }) => kind === "Deployment") as DeclaredDeployment[],
    others: declared.filter(({ kind }) => kind !== "Deployment"),
    faults: [],
  };
}

function isDeployment({ value }: LocatedDocument): boolean {
  return kindOf(value) === "Deployment";
}

function ofEachKind(documents: readonly LocatedDocument[]): LocatedDocument[][] {
  return manifestKinds.map((kind) => documents.filter(({ value }) => kindOf(value) === kind));
}

/** Returns faults for resources that specify a deployment that is not declared in any manifest. */
function homeless(documents: readonly LocatedDocument[]): Fault[] {
  const known = documents.filter(isDeployment).flatMap((document) => nameOf(document) ?? []);
  return documents.flatMap((document) => {
    const path = ["spec", "deployment"];
    const name = valueAt(document.value, path);
    if (isDeployment(document) || typeof name !== "string" || known.includes(name)) return [];
    const message = `${path.join(".")}: no manifest declares a deployment "${name}"; declared names: ${known.join(", ") || "none"}`;
    return [{ ...document.place(path), message }];
  });
}

function readAll(files: readonly ManifestFile[]): { documents: LocatedDocument[]; faults: Fault[] } {
  const read = files.map(readDocuments);
  return {
    documents: read.flatMap(({ documents }) => documents),
    faults: read.flatMap(({ faults }) => faults),
  };
}

function asDeclared(document: LocatedDocument): DeclaredResource {
  const { spec } = document.value as { spec: unknown };
  return { kind: kindOf(document.value), name: nameOf(document)!, spec, place: document.place };
}

/** Returns the faults in a value, with their positions in the file. */
export function locate(
  { place }: Pick<LocatedDocument, "place">,
  faults: ReturnType<typeof checkManifest>,
): Fault[] {
  return faults.map(({ path, reason, aboutName }) => ({
    ...place(path, aboutName ? "name" : "value"),
    message: path.length > 0 ? `${path.join(".")}: ${reason}` : reason,
  }));
}

/** Returns faults for documents with the same value as an earlier document. */
function twice(
  documents: readonly LocatedDocument[],
  valueOf: (document: LocatedDocument) => string | undefined,
  reason: string,
): Fault[] {
  const first = new Map<string, LocatedDocument>();
  return documents.flatMap((document) => {
    const value = valueOf(document);
    const other = value === undefined ? undefined : first.get(value);
    if (value !== undefined && !other) first.set(value, document);
    if (!other) return [];
    const path = namePath(document, valueOf);
    const elsewhere = formatPlace(other.place(namePath(other, valueOf)));
    return [{ ...document.place(path), message: `${path.join(".")}: "${value}" ${reason}, at ${elsewhere}` }];
  });
}

function namePath(document: LocatedDocument, valueOf: unknown): string[] {
  const path = ["spec", "name"];
  return valueOf === deploymentNameOf && document.holds(path) ? path : ["metadata", "name"];
}

/** Returns faults for overlays with a kind and name that no manifest declares. */
function overlaysWithoutManifest(
  patches: readonly LocatedDocument[],
  declared: readonly LocatedDocument[],
): Fault[] {
  return patches.flatMap((patch) => {
    const kind = kindOf(patch.value);
    const known = declared.flatMap((document) =>
      kindOf(document.value) === kind ? (nameOf(document) ?? []) : [],
    );
    const name = nameOf(patch);
    if (name === undefined || known.includes(name)) return [];
    const message = `metadata.name: no manifest declares "${name}"; declared names: ${known.join(", ") || "none"}`;
    return [{ ...patch.place(["metadata", "name"]), message }];
  });
}

/** Returns the first document of each kind and name. */
function byName(documents: readonly LocatedDocument[]): Map<string | undefined, LocatedDocument> {
  const first = new Map<string | undefined, LocatedDocument>();
  for (const document of documents) {
    const key = keyOf(document);
    if (key !== undefined && !first.has(key)) first.set(key, document);
  }
  return first;
}

/** Returns the kind and name of a document as a key. */
function keyOf(document: LocatedDocument): string | undefined {
  const name = nameOf(document);
  return name === undefined ? undefined : `${kindOf(document.value)} ${name}`;
}

function nameOf({ value }: LocatedDocument): string | undefined {
  const name = valueAt(value, ["metadata", "name"]);
  return typeof name === "string" ? name : undefined;
}

/** Returns the name of a deployment on the control plane, as written in its manifest. */
function deploymentNameOf(document: LocatedDocument): string | undefined {
  const name = valueAt(document.value, ["spec", "name"]);
  if (typeof name === "string") return name;
  if (valueAt(document.value, ["spec", "agent"]) !== undefined) return undefined;
  const own = nameOf(document);
  return own === undefined ? undefined : literally(own);
}
