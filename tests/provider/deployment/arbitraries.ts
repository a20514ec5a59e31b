import { fc } from "../../properties";
import { interfaceDialect, langsmithDialect } from "../../../provider/control-plane/dialects";
import type { DeploymentInputs } from "../../../provider/deployment/inputs/inputs";

const word = fc.constantFrom(
  "a",
  "b",
  "main",
  "v1",
  "0123456789abcdef0123456789abcdef01234567",
  "__proto__x",
);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const clearable = <T>(value: fc.Arbitrary<T>) => fc.option(optional(value), { nil: null });

const resourceSpec = fc.record({ cpu: fc.nat(4), labels: fc.dictionary(word, word) }, { requiredKeys: [] });

/** An arbitrary dialect. */
export const dialects = fc.constantFrom(interfaceDialect, langsmithDialect);

/** Inputs that pass `check`, with few distinct values, so that equal fields are as likely as different ones. */
export const inputs: fc.Arbitrary<DeploymentInputs> = fc.record(
  {
    name: fc.constantFrom("one", "two"),
    source: fc.constantFrom("github", "external_docker"),
    sourceConfig: fc.record(
      {
        integrationId: optional(word),
        repoUrl: optional(word),
        deploymentType: optional(word),
        buildOnPush: optional(fc.boolean()),
        customUrl: clearable(word),
        resourceSpec: clearable(resourceSpec),
      },
      { requiredKeys: [] },
    ),
    sourceRevisionConfig: fc.record(
      { repoRef: optional(word), graphConfigPath: optional(word), imageUri: clearable(word) },
      { requiredKeys: [] },
    ),
    secrets: optional(
      fc.dictionary(fc.constantFrom("TOKEN", "KEY"), fc.constantFrom("canary-1", "canary-2")),
    ),
    rollout: optional(
      fc.record(
        {
          wait: fc.boolean(),
          timeout: fc.constantFrom("30m", "1h"),
          triggers: fc.array(word, { maxLength: 2 }),
          onSecretChange: fc.constantFrom("keep" as const, "revise" as const),
          onConflict: fc.constantFrom("proceed" as const, "fail" as const),
        },
        { requiredKeys: [] },
      ),
    ),
    adopt: optional(fc.constantFrom("never" as const, "ifOwned" as const, "always" as const)),
  },
  { requiredKeys: ["name", "source", "sourceConfig", "sourceRevisionConfig"] },
);
