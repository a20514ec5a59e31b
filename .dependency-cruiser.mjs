const folders = "wire|provider|sdk|cli|emulator|policies|tools|tests|bench|examples";

/** Returns a rule that forbids imports from all other folders except the allowed ones. */
function keepsTo(folder, allowed, comment) {
  return {
    name: `${folder}-imports`,
    comment,
    severity: "error",
    from: { path: `^${folder}/` },
    to: {
      path: `^(${folders})/`,
      pathNot: [`^${folder}/`, ...allowed],
      // Imports of a package by its name are allowed. They resolve to its sources until the package has been built.
      dependencyTypesNot: ["aliased-workspace", "aliased-tsconfig-paths"],
    },
  };
}

/** Folders of the local control plane. Each may import only from the folders after it. */
const emulatorLayers = [
  "testing",
  "server",
  "page",
  "admin",
  "control-plane",
  "gateway",
  "rollout",
  "agent-server",
  "process",
  "storage",
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    keepsTo("wire", [], "Both sides depend on the protocol, so it must not depend on either side."),
    keepsTo("provider", ["^wire/"], "The other folders depend on the provider."),
    {
      name: "http-serves-any-service",
      comment: "The HTTP client does not depend on the service that it sends requests to.",
      severity: "error",
      from: { path: "^provider/http/" },
      to: {
        path: "^(provider|wire)/",
        pathNot: [
          "^provider/(http|text)/",
          "^provider/(clock|deadline|errors)\\.ts$",
          "^wire/(nesting|size)\\.ts$",
        ],
      },
    },
    {
      name: "hosts-know-no-kind",
      comment:
        "Hosts decode and encode values without knowledge of the individual kinds. Functions do not belong to a kind.",
      severity: "error",
      from: {
        path: "^provider/(hosts|core|resource|engine)/",
        pathNot: "^provider/hosts/plugin/invoke\\.ts$",
      },
      to: {
        path: "^provider/([^/]+/|kinds\\.ts$)",
        pathNot:
          "^provider/(hosts|core|resource|engine|http|text|control-plane|agent-server|repository|session)/",
      },
    },
    {
      name: "rules-are-pure",
      comment:
        "Rules depend only on the inputs and the dialect. Modules that send requests depend on the rules.",
      severity: "error",
      from: { path: "^provider/deployment/rules/" },
      to: {
        path: "^provider/(deployment/(questions|rollout|reconcile)/|resource/operation|session|http/|(control-plane|agent-server)/client)",
      },
    },
    {
      name: "reconcile-on-top",
      comment: "Reconciliation depends on rules, questions, and rollouts, which must not depend on it.",
      severity: "error",
      from: { path: "^provider/deployment/", pathNot: "^provider/deployment/(reconcile/|kind\\.ts$)" },
      to: { path: "^provider/deployment/reconcile/" },
    },
    keepsTo("sdk", ["^wire/", "^provider/"], "A user's program loads only the provider."),
    keepsTo(
      "cli",
      ["^wire/", "^provider/", "^sdk/"],
      "The emulator and the policies are separate packages, loaded by name.",
    ),
    keepsTo("emulator", ["^wire/"], "The local control plane shares only the wire format."),
    ...emulatorLayers
      .slice(1)
      .map((layer, index) => ({
        name: `emulator-${layer}-is-below`,
        comment: "A folder of the local control plane imports only from the folders below it.",
        severity: "error",
        from: { path: `^emulator/${layer}/` },
        to: { path: `^emulator/(${emulatorLayers.slice(0, index + 1).join("|")})/` },
      })),
    keepsTo("policies", [], "The policies are a separate package that depends only on inputs."),
    keepsTo(
      "examples",
      // Packages that are imported by name resolve to their sources: the local control plane until it has been
      // built, and the others always.
      ["^(sdk|emulator|emulator/testing)/index\\.ts$"],
      "Examples import packages by their names, as users do.",
    ),
    {
      name: "tests-stay-tests",
      comment: "Only tests may import from the tests.",
      severity: "error",
      from: { pathNot: "^tests/" },
      to: { path: "^tests/" },
    },
    {
      name: "no-circles",
      comment: "Modules that import each other, including types, cannot be understood separately.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    // Maps the name of the package to its source.
    tsConfig: { fileName: "tsconfig.examples.json" },
  },
};
