import {
  deploymentInputs,
  sourceConfigInputs,
  sourceRevisionConfigInputs,
} from "../../../provider/deployment/inputs/inputs";
import { published } from "../facts/published";
import { fieldsAt, fieldsOf } from "../judge/fields";

/** How a published field is called in a program; fields of other names are given here. */
const names: Record<string, string> = {
  secrets: "secrets",
  "source_revision_config.langgraph_config_path": "sourceRevisionConfig.graphConfigPath",
};

/** Fields that requests may carry and that no program gives, and why. */
const exceptions: Record<string, string> = {
  revision_source: "follows from the source, which is given for good",
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

/** Every field that a request about a deployment may carry, as paths. */
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

/** Every input that goes to the control plane. */
const inputs = [
  ...Object.keys(deploymentInputs.shape),
  ...Object.keys(sourceConfigInputs.shape).map((field) => `sourceConfig.${field}`),
  ...Object.keys(sourceRevisionConfigInputs.shape).map((field) => `sourceRevisionConfig.${field}`),
];

const inputFor = (path: string): string =>
  names[path] ?? path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

test.each(writableFields())("the published field %s is an input, or is none for a reason", (path) => {
  expect([path, inputs.includes(inputFor(path))]).toEqual([path, !(path in exceptions)]);
});

test("every exception is published", () => {
  expect(writableFields()).toEqual(expect.arrayContaining(Object.keys(exceptions)));
});
