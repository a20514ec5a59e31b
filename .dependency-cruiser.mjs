const folders = "wire|provider|sdk|cli|emulator|policies|tools|tests|bench|examples";

/** A folder that imports nothing of the others but what is allowed. */
function keepsTo(folder, allowed, comment) {
  return {
    name: `${folder}-imports`,
    comment,
    severity: "error",
    from: { path: `^${folder}/` },
    to: {
      path: `^(${folders})/`,
      pathNot: [`^${folder}/`, ...allowed],
      // A package asked for by its name, which is found in the sources for as long as it is not built.
      dependencyTypesNot: ["aliased-workspace"],
    },
  };
}

/** Folders of the local control plane; each may import only the ones after it. */
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
    keepsTo("wire", [], "The protocol is a text that both sides read."),
    keepsTo("provider", ["^wire/"], "The provider is what the others are made of."),
    {
      name: "http-serves-any-service",
      comment: "The HTTP stack is told which service it speaks to.",
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
      comment: "A host decodes and encodes; what is inside is a kind's own. Functions belong to no kind.",
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
      comment: "Rules follow from the inputs and the dialect alone; what acts stands above them.",
      severity: "error",
      from: { path: "^provider/deployment/rules/" },
      to: {
        path: "^provider/(deployment/(questions|rollout|reconcile)/|resource/operation|session|http/|(control-plane|agent-server)/client)",
      },
    },
    {
      name: "reconcile-on-top",
      comment: "Reconciling uses rules, questions and rollouts, and none of them uses it.",
      severity: "error",
      from: { path: "^provider/deployment/", pathNot: "^provider/deployment/(reconcile/|kind\\.ts$)" },
      to: { path: "^provider/deployment/reconcile/" },
    },
    keepsTo("sdk", ["^wire/", "^provider/"], "A user's program loads the provider and nothing else."),
    keepsTo(
      "cli",
      ["^wire/", "^provider/", "^sdk/"],
      "The emulator and the policies are separate packages, loaded by name.",
    ),
    keepsTo("emulator", ["^wire/"], "The local control plane shares the wire format alone."),
    ...emulatorLayers
      .slice(1)
      .map((layer, index) => ({
        name: `emulator-${layer}-is-below`,
        comment: "A folder of the local control plane imports only folders below it.",
        severity: "error",
        from: { path: `^emulator/${layer}/` },
        to: { path: `^emulator/(${emulatorLayers.slice(0, index + 1).join("|")})/` },
      })),
    keepsTo("policies", [], "A package of its own that knows inputs alone."),
    keepsTo(
      "examples",
      // Packages that it imports by name are found in the sources, the local control plane for as long as it is not built.
      ["^(sdk|emulator|emulator/testing)/index\\.ts$"],
      "An example imports packages by their names, as its readers do.",
    ),
    {
      name: "tests-stay-tests",
      comment: "What is made for tests is not used elsewhere.",
      severity: "error",
      from: { pathNot: "^tests/" },
      to: { path: "^tests/" },
    },
    {
      name: "no-circles",
      comment: "Modules that import each other, types included, cannot be understood one by one.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    // Maps the package's name to its source.
    tsConfig: { fileName: "tsconfig.examples.json" },
  },
};
