import { hasDigest, imagePaths } from "../deployment/images";
import type { Objection } from "../resource/outcome";
import { matches } from "../resource/pattern";
import { sourceKind } from "../deployment/source";
import { deploymentPolicy, inProduction } from "../pack/record";
import { texts } from "../pack/settings";

export const sourcePinned = deploymentPolicy({
  name: "source-pinned",
  text: "Sources must be pinned to a tag, a commit, or an image digest, not to a branch or an image tag, which can change.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inProduction,
    tags: texts("Patterns for references that are treated as tags. Full commit hashes are always allowed.", [
      "refs/tags/**",
      "v[0-9]*",
      "[0-9]*.[0-9]*",
    ]),
  },
  *check(deployment, { tags }) {
    yield deployment.judge("sourceRevisionConfig.repoRef", (ref): Objection | undefined => {
      const fix = 'Specify a tag, such as "refs/tags/v1.4.0", or a full commit hash.';
      if (typeof ref === "string")
        return isCommit(ref) || matches(ref, tags)
          ? undefined
          : { problem: "is neither a tag nor a full commit hash", fix };
      return sourceKind(deployment) === "repository"
        ? { problem: "is missing, so the source follows a branch", fix }
        : undefined;
    });
    for (const path of imagePaths(deployment))
      yield deployment.judge(path, (image) =>
        typeof image !== "string" || hasDigest(image)
          ? undefined
          : {
              problem: "has no digest",
              fix: 'Add the digest: "…@sha256:" followed by 64 hexadecimal digits.',
            },
      );
  },
});

function isCommit(ref: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}
