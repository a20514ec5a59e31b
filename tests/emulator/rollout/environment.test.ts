import fc from "fast-check";
import { isForControlPlane } from "../../../emulator/process/allowed-environment";
import {
  agentEnvironment,
  buildEnvironment,
  gitEnvironment,
} from "../../../emulator/rollout/real/environment";

const own = {
  PATH: "/bin",
  HOME: "/home/me",
  LC_CTYPE: "C.UTF-8",
  HTTPS_PROXY: "http://proxy",
  AGENTSERVER_API_KEY: "key",
  NODE_OPTIONS: "--inspect",
  GIT_DIR: "/elsewhere",
  npm_config_registry: "http://registry",
  npm_config_local_prefix: "/repo",
  npm_lifecycle_event: "up",
};

test("an agent gets of the machine only what programs need", () => {
  const environment = agentEnvironment(
    { A: "configured", B: "configured" },
    [{ name: "B", value: "secret" }],
    own,
  );
  expect(environment).toMatchObject({ HOME: "/home/me", LC_CTYPE: "C.UTF-8", A: "configured", B: "secret" });
  expect(environment["PATH"]).toMatch(/:\/bin$/);
  expect(environment["LANGSMITH_TRACING"]).toBe("false");
  for (const name of ["AGENTSERVER_API_KEY", "NODE_OPTIONS", "GIT_DIR", "npm_config_registry"]) {
    expect(environment).not.toHaveProperty(name);
  }
});

test("what an agent gets of the machine is a list, whatever else there is", () => {
  const named = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR"];
  const folders = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME"];
  const network = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"];
  const allowed = [
    ...named,
    ...folders,
    ...network,
    ...proxies,
    ...proxies.map((name) => name.toLowerCase()),
  ];
  const forAgentServer = ["LANGGRAPH_CLI_NO_ANALYTICS", "LANGSMITH_TRACING", "LOG_JSON", "LOG_LEVEL"];
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]*$/), fc.string()), (other) => {
      const machine = { ...other, ...Object.fromEntries(allowed.map((name) => [name, "x"])) };
      const expected = [
        ...allowed,
        ...forAgentServer,
        "OWN",
        ...Object.keys(other).filter((name) => name.startsWith("LC_")),
      ];
      const names = Object.keys(agentEnvironment({}, [{ name: "OWN", value: "x" }], machine));
      expect(names.sort()).toEqual([...new Set(expected)].sort());
    }),
    { examples: [[own], [{ AWS_SECRET_ACCESS_KEY: "x", GITHUB_TOKEN: "x", SSH_AUTH_SOCK: "x" }]] },
  );
});

test("a control plane that is started again keeps what it works with, and no more", () => {
  const kept = (name: string): boolean => isForControlPlane(name);
  expect(Object.keys(own).filter(kept)).toEqual([
    "PATH",
    "HOME",
    "LC_CTYPE",
    "HTTPS_PROXY",
    "NODE_OPTIONS",
    "npm_config_registry",
  ]);
  // All that it passes on is among it.
  const all = { ...own, SSH_AUTH_SOCK: "x", GIT_SSH_COMMAND: "ssh", npm_config_userconfig: "x" };
  const remaining = Object.fromEntries(Object.entries(all).filter(([name]) => kept(name)));
  expect(gitEnvironment(remaining)).toEqual(gitEnvironment(all));
  expect(buildEnvironment(remaining)).toEqual(buildEnvironment(all));
  expect(agentEnvironment({}, [], remaining)).toEqual(agentEnvironment({}, [], all));
});

test("a project may ask for tracing", () => {
  expect(agentEnvironment({}, [{ name: "LANGSMITH_TRACING", value: "true" }], own)["LANGSMITH_TRACING"]).toBe(
    "true",
  );
});

test("npm knows where packages come from, and nothing of the npm script that runs us", () => {
  const environment = buildEnvironment(own);
  expect(environment["npm_config_registry"]).toBe("http://registry");
  expect(environment).not.toHaveProperty("npm_config_local_prefix");
  expect(environment).not.toHaveProperty("npm_lifecycle_event");
});

test("git asks nobody and works where it is told", () => {
  const environment = gitEnvironment(own);
  expect(environment).toMatchObject({ GIT_TERMINAL_PROMPT: "0", HTTPS_PROXY: "http://proxy" });
  expect(environment).not.toHaveProperty("GIT_DIR");
});
