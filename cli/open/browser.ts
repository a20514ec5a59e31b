import { spawn } from "node:child_process";

/** Opens an address on this machine. Resolves with false if it could not be opened. */
export type Browser = (address: string) => Promise<boolean>;

/** Program that opens an address on each platform, with the program's arguments. */
const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // The `start` command would need a shell.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Returns the variables of an environment that are necessary to open a window on the desktop. */
export function desktopVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const name =
    /^(DISPLAY|WAYLAND_DISPLAY|X(AUTHORITY|DG_\w+)|BROWSER|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION)$/;
  return Object.fromEntries(Object.entries(env).filter(([key]) => name.test(key)));
}

/**
 * Returns a function that opens an address in the browser of the desktop. It resolves with false if there is no
 * desktop.
 */
export function desktopBrowser(env: NodeJS.ProcessEnv, platform = process.platform): Browser {
  const [program, ...args] = programs[platform] ?? ["xdg-open"];
  const hasDesktop = platform in programs || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
  if (!hasDesktop) return () => Promise.resolve(false);
  return (address) =>
    new Promise((resolve) => {
      const options = { env: withoutSettings(env), detached: true, stdio: "ignore" } as const;
      const child = spawn(program, [...args, address], options);
      child.once("error", () => resolve(false));
      child.once("spawn", () => resolve(true));
      child.unref();
    });
}

/**
 * Returns an environment without the settings of this package and of Pulumi, because some of these settings contain
 * keys.
 */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(AGENTSERVER|PULUMI)_/i.test(name)));
}
