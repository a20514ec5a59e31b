/** Compiled package: its configuration, output folder, and source folders. */
export interface BuildTarget {
  name: string;
  config: string;
  output: string;
  sources: string[];
  /**
   * Script that creates the output, called with the arguments `<root> <output folder>`. By default, the compiler
   * creates the output.
   */
  script?: string;
  /** Script that bundles modules in the output after the compilation, called with the same arguments. */
  bundler?: string;
  /** Files of other packages to copy, keyed by target folder in the output. */
  copies?: Record<string, { from: string; files: string[] }>;
}

/** Target for the bundle of the web console. */
export const pageTarget: BuildTarget = {
  name: "the web console",
  config: "emulator/page/client/tsconfig.json",
  output: "emulator/page/dist",
  sources: ["emulator/page/client"],
  script: "tools/build/bundle-page.mjs",
};

/** Targets for all compiled packages of this repository. */
export const buildTargets: BuildTarget[] = [
  {
    name: "pulumi-agentserver",
    config: "tsconfig.build.json",
    output: "dist",
    sources: ["wire", "provider", "sdk", "cli"],
    bundler: "tools/build/bundle-plugin.mjs",
  },
  {
    name: "agentserver-emulator",
    config: "emulator/tsconfig.json",
    output: "emulator/dist",
    sources: ["emulator", "wire"],
    copies: {
      reference: {
        from: "swagger-ui-dist",
        files: [
          "swagger-ui.css",
          "swagger-ui-bundle.js",
          "swagger-ui-bundle.js.LICENSE.txt",
          "favicon-32x32.png",
          "LICENSE",
          "NOTICE",
        ],
      },
    },
  },
  pageTarget,
  {
    name: "pulumi-agentserver-policies",
    config: "policies/tsconfig.json",
    output: "policies/dist",
    sources: ["policies"],
  },
];
