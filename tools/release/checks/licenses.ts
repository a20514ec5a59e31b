/** Package and the license that it states. */
export interface LicensedPackage {
  /** Name and version of the package, such as `axios@1.0.0`. */
  id: string;
  name: string;
  /** License as an SPDX expression. */
  license?: string | undefined;
}

const permissive = [
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"],
  "Python-2.0",
];

/**
 * Licenses that are allowed for dependencies of our packages. They include licenses for data. They also include weak
 * copyleft licenses, because the files of the dependencies are not changed.
 */
const installed = [...permissive, "CC-BY-3.0", "CC-BY-4.0", "MPL-2.0"];

/**
 * Licenses of packages that do not state their license as an SPDX expression. Read the license file before adding one.
 */
const readByHand: Record<string, string> = { "@logdna/tail-file": "MIT" };

/**
 * Returns the packages whose licenses are not on the list of allowed licenses.
 * @param use `bundled` if our files contain their code, `installed` if they are dependencies of our packages
 */
export function licenseFaults(
  file: string,
  packages: readonly LicensedPackage[],
  use: "bundled" | "installed",
): string[] {
  const allowed = use === "bundled" ? permissive : installed;
  return packages.flatMap(({ id, name, license: stated }) => {
    const license = readByHand[name] ?? stated;
    if (license !== undefined && isAllowed(license, allowed)) return [];
    return [
      `${file}: ${id} has the license ${license ?? "(none stated)"}, which is not allowed for ${use} packages. Replace the package, or add the license to tools/release/checks/licenses.ts.`,
    ];
  });
}

/** True if at least one alternative of an SPDX expression consists only of allowed licenses. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const text = expression.replace(/^\((.*)\)$/, "$1");
  // Nested expressions are rare, and are not allowed until someone has reviewed them.
  return text
    .split(/ OR /)
    .some((alternative) => alternative.split(/ AND /).every((license) => allowed.includes(license)));
}
