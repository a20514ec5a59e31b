import { dialectNames, dialectTables, type DialectTable } from "../../../wire";
import type { Field } from "../../../tools/published-facts/facts";
import { published } from "../facts/published";
import { resolved } from "../judge/differences";
import { fieldsAt, fieldsOf } from "../judge/fields";
import { dialectRules } from "../rules";

/** Document of each dialect, with the names of its request bodies. */
const documents = {
  interface: { facts: published.interface, create: "DeploymentRequest", patch: "DeploymentRequest" },
  langsmith: {
    facts: published.controlPlane,
    create: "DeploymentCreateRequest",
    patch: "DeploymentPatchRequest",
  },
};

/** Differences between the fields of PATCH bodies in a table and those in the document of its dialect. */
const patchExceptions: Record<DialectTable["name"], Record<string, string>> = {
  interface: { display_name: "the public service's, which the local control plane takes in both dialects" },
  langsmith: {
    name: "a PATCH may repeat what it cannot change",
    source: "a PATCH may repeat what it cannot change",
    tracked_packages: "sent by one client; nothing is known of what it does",
  },
};

/** Fields of create requests that clients send but the document does not list. */
const newerFields: Record<DialectTable["name"], string[]> = { interface: [], langsmith: ["agent"] };

/** Fields of create requests that the document requires but that clients omit if they send an alternative. */
const replaceable: Record<DialectTable["name"], string[]> = { interface: [], langsmith: ["name"] };

/** Deployment types that clients send but the document does not list. */
const newerTypes = ["serverless", "dedicated"];

describe.each(dialectNames)("in the %s dialect", (dialect) => {
  const table = dialectTables[dialect];
  const rules = dialectRules[dialect];
  const { facts, create, patch } = documents[dialect];
  const paths = Object.keys(rules.fields);
  const inGroup = (group: string, filter: (path: string) => boolean = () => true): string[] =>
    paths
      .filter((path) => path.startsWith(`${group}.`) && filter(path))
      .map((path) => path.slice(group.length + 1))
      .sort();

  test("lists the published fields of each group", () => {
    const config = fieldsAt(facts, create, "source_config");
    const revision = fieldsAt(facts, create, "source_revision_config");
    expect(sorted(table.fields.create)).toEqual(
      sorted([...names(fieldsOf(facts, create)), ...newerFields[dialect]]),
    );
    expect(sorted(table.fields.sourceConfig)).toEqual(names(config));
    expect(sorted(table.fields.sourceRevisionConfig)).toEqual(names(revision));
    expect(names(config)).toEqual(inGroup("source_config"));
    expect(names(revision)).toEqual(inGroup("source_revision_config"));
    expect(names(revision)).toContain(table.graphConfigField);
  });

  test("lists the published fields of a PATCH, with a few additions", () => {
    const known = names(fieldsOf(facts, patch));
    const odd = [
      ...table.fields.patch.filter((field) => !known.includes(field)),
      ...known.filter((field) => !(table.fields.patch as readonly string[]).includes(field)),
    ];
    expect(odd.sort()).toEqual(Object.keys(patchExceptions[dialect]).sort());
  });

  test("requires the published fields of a create", () => {
    const required = Object.entries(fieldsOf(facts, create)).filter(([, field]) => field.required);
    // The interface document does not specify the required fields; these are required in practice.
    const least = ["name", "source", "source_config", "source_revision_config"];
    expect(sorted(table.requiredOnCreate)).toEqual(
      dialect === "interface"
        ? least
        : required
            .map(([name]) => name)
            .filter((name) => !replaceable[dialect].includes(name))
            .sort(),
    );
  });

  test("lists the published sources and deployment types", () => {
    const { source } = fieldsOf(facts, create);
    const type = fieldsAt(facts, create, "source_config")["deployment_type"];
    expect(sorted(table.sources ?? [])).toEqual(source?.enum ?? []);
    expect(sorted(table.deploymentTypes ?? [])).toEqual(
      type?.enum ? [...type.enum, ...newerTypes].sort() : [],
    );
    expect(table.defaultDeploymentType).toBe(rules.defaultType);
    expect(sorted(table.revisionSources ?? [])).toEqual(
      fieldsOf(facts, patch)["revision_source"]?.enum ?? [],
    );
    const { integration_id: id } = fieldsAt(facts, create, "source_config");
    expect(table.checksReferences).toBe(id?.format === "uuid");
  });

  test("lists the fields that create a revision according to the documented rules", () => {
    const revising = (path: string): boolean => rules.fields[path]!.revises;
    const { revises } = table;
    expect(sorted(revises.sourceConfig)).toEqual(inGroup("source_config", revising));
    expect(inGroup("source_revision_config", revising)).toEqual(inGroup("source_revision_config"));
    expect(revises.sourceRevisionConfig).toBe(rules.emptyRevisionConfigRevises ? "there" : "given");
    const others = paths.filter((path) => !path.includes(".") && revising(path));
    expect([...(revises.secrets ? ["secrets"] : []), ...revises.others].sort()).toEqual(others.sort());
    expect(table.emptySecrets).toBe(rules.fields["secrets"]!.emptyList === "nothing" ? "keep" : "clear");
  });

  test("agrees with the rules on immutable, unreliable, and clearable fields", () => {
    const of = (patch: string) => inGroup("source_config", (path) => rules.fields[path]!.patch === patch);
    expect(sorted(table.fixedSourceConfig)).toEqual(of("fixed"));
    expect(sorted(table.nextRevisionSourceConfig)).toEqual(of("later"));
    expect(sorted(table.clearable)).toEqual(
      paths.filter((path) => rules.fields[path]!.null === "clears").sort(),
    );
    for (const path of table.clearable) {
      const [group, field] = path.split(".") as [string, string];
      expect([path, fieldsAt(facts, create, group)[field]?.nullable]).toEqual([path, true]);
    }
  });

  test("contains the rules for each source", () => {
    for (const [source, rule] of Object.entries(rules.sources))
      expect([source, table.sourceRules[source] ?? table.sourceRules["*"]]).toEqual([source, rule]);
    for (const source of table.sources ?? []) expect(Object.keys(rules.sources)).toContain(source);
  });

  test("reserves exactly the published secret names", () => {
    const { reservedSecrets, reservedInTheCloud } = table;
    for (const name of rules.reservedSecrets)
      expect([name, reservedSecrets?.test(name.replace("*", "ANYTHING"))]).toEqual([name, true]);
    for (const name of rules.reservedInTheCloud)
      expect([name, reservedSecrets?.test(name), reservedInTheCloud?.test(name)]).toEqual([
        name,
        false,
        true,
      ]);
    for (const name of rules.freeSecrets)
      expect([name, [reservedSecrets, reservedInTheCloud].some((all) => all?.test(name))]).toEqual([
        name,
        false,
      ]);
    expect(reservedSecrets === undefined).toBe(rules.reservedSecrets.length === 0);
  });

  test("agrees with the published description on features that only one dialect has", () => {
    const { operations } = facts;
    const logs = operations["GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs"];
    expect(table.logTypeRequired).toBe(
      logs?.parameters.some(({ name, required }) => name === "type" && required) ?? false,
    );
    expect(table.redeploys).toBe(Object.keys(operations).some((name) => name.endsWith("/redeploy")));
    expect(table.widerAuthentication).toBe("force_new" in fieldsOf(facts, "AuthAuthenticateRequest"));
    expect(table.supersededStatuses).toEqual(rules.superseded);
    const statuses = fieldsOf(facts, "Revision")["status"]?.enum ?? rules.superseded;
    for (const status of table.supersededStatuses) expect(statuses).toContain(status);
    expect(table.tenantHeader).toBe(rules.tenantAlways ? "always" : "organization keys");
    expect(table.resolvesRefs).toBe(rules.resolvesRefs);
    expect(table.resolvesRefs).toBe(
      Object.keys(facts.schemas).some((name) => "repo_branch" in fieldsOf(facts, name)),
    );
    const { resource_spec: spec } = fieldsAt(facts, create, "source_config");
    const specFields = resolved({ shape: spec!, schemas: facts.schemas }).fields;
    expect(table.checksResourceSpec).toBe(specFields !== undefined);
    expect(Object.keys(table.resourceSpecDefaults).filter((name) => !(name in (specFields ?? {})))).toEqual(
      [],
    );
    // Only the public service rejects builds on push for tags, and only it has listeners.
    expect(table.refusesPushedTags).toBe(dialect === "langsmith");
    expect(table.listenerRequired).toEqual(
      "listener_id" in fieldsAt(facts, create, "source_config") ? ["external_docker"] : [],
    );
  });

  test("accepts and rejects the same names as the public service", () => {
    if (dialect === "interface") return expect(table.names).toBeUndefined();
    const { pattern, selfHostedLength } = table.names!;
    expect(selfHostedLength).toBe(21);
    for (const name of ["agent", "Agent-2"]) expect(name).toMatch(pattern);
    for (const name of ["my_agent", "2-agents", "-agent", "agent.one", ""]) expect(name).not.toMatch(pattern);
  });

  test("contains only keys that these tests check", () => {
    expect(Object.keys(table).sort()).toEqual(held);
  });
});

/** Keys of a dialect table. A new key requires a test in this file. */
const held = [
  "checksReferences",
  "checksResourceSpec",
  "clearable",
  "defaultDeploymentType",
  "deploymentTypes",
  "emptySecrets",
  "fieldSources",
  "fields",
  "fixedSourceConfig",
  "graphConfigField",
  "listenerRequired",
  "logTypeRequired",
  "name",
  "names",
  "nextRevisionSourceConfig",
  "redeploys",
  "refusesPushedTags",
  "requiredOnCreate",
  "reservedInTheCloud",
  "reservedSecrets",
  "resolvesRefs",
  "resourceSpecDefaults",
  "revises",
  "revisionSources",
  "sourceRules",
  "sources",
  "supersededStatuses",
  "tenantHeader",
  "widerAuthentication",
];

function names(fields: Record<string, Field>): string[] {
  return Object.keys(fields).sort();
}

function sorted(values: readonly string[]): string[] {
  return [...values].sort();
}
