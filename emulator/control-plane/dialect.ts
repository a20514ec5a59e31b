import type {
  PatchDeploymentBody,
  WireSourceConfig,
  WireSourceRevisionConfig,
} from "../../provider/control-plane/wire";

/** The dialects there are. */
export type DialectName = "interface";

/** Everything in which control planes of this shape differ. One local server speaks one dialect. */
export interface Dialect {
  name: DialectName;
  /** Whether a PATCH makes a new revision. */
  makesRevision(body: PatchDeploymentBody): boolean;
  /** Fields of `source_config` that a PATCH may repeat but not change. */
  fixedSourceConfig: readonly (keyof WireSourceConfig)[];
  /** Fields that a null in a PATCH empties; in all others null means "unchanged". */
  clearable: readonly (keyof WireSourceConfig | keyof WireSourceRevisionConfig)[];
}

/** The dialect of the interface document: `source_revision_config`, and nothing else, makes a revision. */
const interfaceDialect: Dialect = {
  name: "interface",
  makesRevision: (body) => body.source_revision_config != null,
  fixedSourceConfig: ["repo_url", "integration_id", "deployment_type"],
  clearable: ["custom_url", "resource_spec", "image_uri"],
};

/** Every dialect by its name. */
export const dialects: Record<DialectName, Dialect> = { interface: interfaceDialect };
