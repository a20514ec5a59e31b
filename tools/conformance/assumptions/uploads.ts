import { type DeploymentAssumption, judge } from "../assumption";
import type { Requests } from "../requests";
import { rowsOf, textAt, valueAt } from "../json";
import { table } from "./places";

/** Source whose archives can be uploaded. */
const uploaded = ["internal_source"] as const;

/** Sends an archive. Returns the path for the PATCH request, which is missing if the server rejected the archive. */
async function upload(requests: Requests, path: string, archive: Uint8Array) {
  const offer = await requests.send("POST", `${path}/upload-url`, {
    body: { supports_upload_headers: true },
  });
  const url = textAt(offer.body, "upload_url");
  const objectPath = textAt(offer.body, "object_path");
  if (offer.status !== 200 || url === undefined || objectPath === undefined)
    return { observed: `upload-url: status ${offer.status}` };
  const headers = valueAt(offer.body, "upload_headers") as Record<string, string> | null | undefined;
  const { status } = await requests.send("PUT", url, {
    bytes: archive,
    isForeign: true,
    headers: {
      "Content-Type": "application/gzip",
      ...(headers ?? { "X-Goog-Content-Length-Range": "0,209715200" }),
    },
  });
  return { observed: `upload: status ${status}`, ...(status === 200 && { objectPath }) };
}

/**
 * Creates the assumptions about uploads, probed before the first rollout. The probes start that rollout.
 * @param archive gzip-compressed tar archive of the folder
 */
export function uploadAssumptions(archive: Uint8Array, config: string): readonly DeploymentAssumption[] {
  return [
    {
      id: "uploads.foreign-path",
      stage: "created",
      sources: uploaded,
      sentence: "A PATCH with a source_tarball_path that upload-url did not return is rejected.",
      basis: "documented",
      places: [table("langsmith", '"source_tarball_path"')],
      async probe({ requests }, { path }) {
        const { status } = await requests.send("PATCH", path, {
          body: {
            revision_source: "internal_source",
            source_revision_config: {
              source_tarball_path: "conformance/other.tar.gz",
              langgraph_config_path: config,
            },
          },
        });
        return judge(status >= 400 && status < 500, `status ${status}`);
      },
    },
    {
      id: "uploads.revision",
      stage: "created",
      sources: uploaded,
      sentence:
        "upload-url returns upload_url and object_path; a PUT of a gzip-compressed archive returns 200, and a PATCH with the path creates a revision.",
      basis: "clients",
      places: [
        { file: "provider/control-plane/client/uploads.ts", text: "offer(" },
        table("langsmith", "internal_source: {"),
      ],
      async probe({ requests }, { path }) {
        const { objectPath, observed } = await upload(requests, path, archive);
        if (objectPath === undefined) return judge(false, observed);
        const { status } = await requests.send("PATCH", path, {
          body: {
            revision_source: "internal_source",
            source_revision_config: { source_tarball_path: objectPath, langgraph_config_path: config },
          },
        });
        const { length } = rowsOf((await requests.send("GET", `${path}/revisions?limit=100`)).body);
        return judge(status === 200 && length === 1, `status ${status}, ${length} revisions`);
      },
    },
    {
      id: "uploads.other-source",
      stage: "created",
      sources: ["github", "external_docker", "internal_docker"],
      sentence: "upload-url is rejected for other sources.",
      basis: "inferred",
      dialects: ["langsmith"],
      places: [{ file: "provider/control-plane/client/uploads.ts", text: "offer(" }],
      async probe({ requests }, { path }) {
        const { status } = await requests.send("POST", `${path}/upload-url`, {
          body: { supports_upload_headers: true },
        });
        return judge(status >= 400 && status < 500, `status ${status}`);
      },
    },
  ];
}
