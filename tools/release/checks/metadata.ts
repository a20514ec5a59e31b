import type { Artifact } from "../artifacts";

const license = "Apache-2.0";

/** Returns the missing or incorrect metadata of the packages. */
export function metadataFaults(
  artifacts: readonly Artifact[],
  version: string,
  repository: string,
): string[] {
  return artifacts.flatMap((artifact) => {
    const faults = [
      ...(artifact.manifest ? manifestFaults(artifact, artifact.manifest, version, repository) : []),
      ...(artifact.metadata === undefined
        ? []
        : wheelFaults(artifact, artifact.metadata, version, repository)),
    ];
    return faults.map((fault) => `${artifact.file}: ${fault}`);
  });
}

function manifestFaults(
  { name, contents }: Artifact,
  manifest: Record<string, unknown>,
  version: string,
  repository: string,
): string[] {
  const expected = { name: name.replace(/\.tgz$/, ""), version, license };
  const url = `git+${repository}.git`;
  const {
    engines,
    keywords,
    repository: stated,
    types,
    exports,
  } = manifest as {
    engines?: { node?: string };
    keywords?: string[];
    repository?: { url?: string };
    types?: string;
    exports?: { "."?: { types?: string } };
  };
  const paths = contents.map(({ path }) => path);
  const declarations = exports?.["."]?.types ?? types;
  return [
    ...Object.entries(expected)
      .filter(([field, value]) => manifest[field] !== value)
      .map(([field, value]) => `"${field}" in package.json must be ${JSON.stringify(value)}.`),
    ...missing("description", typeof manifest["description"] === "string" && manifest["description"] !== ""),
    ...missing("keywords", keywords !== undefined && keywords.length > 0),
    ...missing("engines.node", Boolean(engines?.node)),
    ...(stated?.url === url ? [] : [`"repository.url" in package.json must be ${JSON.stringify(url)}.`]),
    ...(declarations !== undefined && paths.includes(declarations.replace(/^\.\//, ""))
      ? []
      : [`"types" in package.json must be a file of the package, but is ${JSON.stringify(declarations)}.`]),
    ...["devDependencies", "scripts", "workspaces"]
      .filter((field) => field in manifest)
      .map((field) => `"${field}" in package.json applies only to the repository.`),
    ...["LICENSE", "README.md"].filter((file) => !paths.includes(file)).map((file) => `${file} is missing.`),
  ];
}

function missing(field: string, isPresent: boolean): string[] {
  return isPresent ? [] : [`"${field}" in package.json is missing or empty.`];
}

function wheelFaults({ name }: Artifact, metadata: string, version: string, repository: string): string[] {
  const lines = metadata.split("\n");
  const has = (field: string, value: string) => lines.some((line) => line.startsWith(`${field}: ${value}`));
  const expected: [string, string][] = [
    ["Version", version],
    ["Summary", ""],
    ["Keywords", ""],
    ["Requires-Python", ">="],
    ["Project-URL", `Repository, ${repository}`],
    ["Description-Content-Type", "text/markdown"],
  ];
  const faults = expected
    .filter(([field, value]) => !has(field, value))
    .map(([field, value]) => `the metadata has no line "${field}: ${value}".`);
  // Tools write dashes in names in different ways.
  const stated = /^Name: (.*)$/m.exec(metadata)?.[1]?.replaceAll(/[-_.]+/g, "_");
  const distribution = name.split("-")[0]!;
  if (stated !== distribution) faults.push(`the metadata has no line "Name: ${distribution}".`);
  const isLicensed = has("License", license) || has("License-Expression", license);
  return isLicensed ? faults : [...faults, `the metadata does not state the license ${license}.`];
}
