const folders = "provider|sdk|cli|emulator|policies|tools|tests|bench|examples";

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

/** Circles that stay until their folders are rebuilt. */
const knownCircles = [
  // Types of a plan and of its reasons; of a question and of the view of a repository that answers it.
  "^provider/deployment/(plan/(plan|reasons)|preview/(question|repository))\\.ts$",
];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    keepsTo("provider", [], "The provider is what the others are made of."),
    keepsTo("sdk", ["^provider/"], "A user's program loads the provider and nothing else."),
    keepsTo(
      "cli",
      ["^provider/", "^sdk/"],
      "The emulator and the policies are packages of their own, loaded by name.",
    ),
    keepsTo(
      "emulator",
      ["^provider/control-plane/wire/"],
      "The local control plane shares the wire format alone.",
    ),
    keepsTo("policies", [], "A package of its own that knows inputs alone."),
    keepsTo(
      "examples",
      ["^sdk/index\\.ts$"],
      "An example imports the package by its name, as its readers do.",
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
      from: { pathNot: knownCircles },
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
