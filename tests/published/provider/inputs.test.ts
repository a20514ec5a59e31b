import {
  deploymentInputs,
  sourceConfigInputs,
  sourceRevisionConfigInputs,
} from "../../../provider/deployment/inputs/inputs";
import { published } from "../facts/published";
import { fieldsAt, fieldsOf } from "../judge/fields";

/** Published fields that have a different name in programs, with the name that they have there. */
const names: Record<string, string> = {
  secrets: "secrets",
  "source_revision_config.langgraph_config_path": "sourceRevisionConfig.graphConfigPath",
};

/** Request fields that are not inputs, with the reasons. */
const exceptions: Record<string, string> = {
  revision_source: "follows from the source, which cannot change",
  tracked_packages: "sent by one client; nothing is known of what it does",
  "source_revision_config.source_tarball_path": "the control plane gives it for each upload",
};

const { controlPlane: facts } = published;
const bodies = [
  "DeploymentCreateRequest",
  "DeploymentPatchRequest",
  "DeploymentTierUpdateRequest",
  "DeploymentResourceTiersUpdateRequest",
];

const groups = { source_config: sourceConfigInputs, source_revision_config: sourceRevisionConfigInputs };

/** Returns the paths of all fields in requests about a deployment. */
function writableFields(): string[] {
  const fields = bodies.flatMap((body) =>
    Object.keys(fieldsOf(facts, body)).flatMap((field) =>
      field in groups
        ? Object.keys(fieldsAt(facts, body, field)).map((inside) => `${field}.${inside}`)
        : [field],
    ),
  );
  return [...new Set(fields)].sort();
}

/** All inputs that are sent to the control plane. */
const inputs = [
  ...Object.keys(deploymentInputs.shape),
  ...Object.keys(sourceConfigInputs.shape).map((field) => `sourceConfig.${field}`),
  ...Object.keys(sourceRevisionConfigInputs.shape).map((field) => `sourceRevisionConfig.${field}`),
];

const inputFor = (path: string): string =>
  names[path] ?? path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

test.each(writableFields())("maps the published field %s to an input, or documents the reason", (path) => {
  expect([path, inputs.includes(inputFor(path))]).toEqual([path, !(path in exceptions)]);
});

test("lists only published fields as exceptions", () => {
  expect(writableFields()).toEqual(expect.arrayContaining(Object.keys(exceptions)));
});
