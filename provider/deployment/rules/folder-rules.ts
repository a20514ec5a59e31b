import type { Dialect } from "../../control-plane/dialects";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { DesiredInputs } from "../../resource/inputs/wanted";

const folder = "sourceRevisionConfig.folder";
const elsewhere = ["sourceRevisionConfig.repoRef", "sourceRevisionConfig.imageUri"];

/** What goes together with a source on this machine. */
export function folderFindings(wanted: DesiredInputs, { table }: Dialect): Finding[] {
  if (!table.fields.sourceRevisionConfig.includes("source_tarball_path")) return [];
  const hash = "sourceRevisionConfig.contentHash";
  if (!wanted.gives(folder))
    return wanted.gives(hash) ? [failure(hash, "is found out by the provider; leave it out")] : [];
  const source = wanted.text("source");
  const other = source !== undefined && source !== "internal_source";
  return [
    ...(other
      ? [failure(folder, `is for the source internal_source, and this one is ${source}; leave it out`)]
      : []),
    ...elsewhere
      .filter((path) => wanted.gives(path))
      .map((path) =>
        failure(path, "cannot be given together with sourceRevisionConfig.folder; leave it out"),
      ),
  ];
}
