/** A package that is compiled: the configuration, where the result goes, and which folders it is made from. */
export interface BuildTarget {
  name: string;
  config: string;
  output: string;
  sources: string[];
}

/** The packages of this repository. */
export const buildTargets: BuildTarget[] = [
  {
    name: "pulumi-agentserver",
    config: "tsconfig.build.json",
    output: "dist",
    sources: ["wire", "provider", "sdk", "cli"],
  },
  {
    name: "agentserver-emulator",
    config: "emulator/tsconfig.json",
    output: "emulator/dist",
    sources: ["emulator", "wire"],
  },
  {
    name: "pulumi-agentserver-policies",
    config: "policies/tsconfig.json",
    output: "policies/dist",
    sources: ["policies"],
  },
];
