import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isForControlPlane } from "../../../../emulator/process/allowed-environment";
import { ownAccess } from "../../../../emulator/process/private-environment";
import {
  agentEnvironment,
  buildEnvironment,
  gitEnvironment,
} from "../../../../emulator/rollout/build/environment";
import { temporaryFolder } from "../repository";

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

/** Variables that git settings and credential helpers need. */
const access = {
  SSH_AUTH_SOCK: "/run/agent",
  GIT_SSH_COMMAND: "ssh",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "credential.helper",
  GIT_CONFIG_VALUE_0: "store",
  GH_TOKEN: "gh",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
  XDG_RUNTIME_DIR: "/run/user/1000",
};

function npmrc(text: string): string {
  const file = join(temporaryFolder("npmrc"), ".npmrc");
  writeFileSync(file, text);
  return file;
}

test("passes common environment variables to an agent, but no keys or tool settings", () => {
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

test("passes only the listed environment variables to an agent, for all environments", () => {
  const named = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR"];
  const folders = ["XDG_CACHE_HOME", "XDG_CONFIG_HOME"];
  const network = [
    "NODE_EXTRA_CA_CERTS",
    "NODE_USE_SYSTEM_CA",
    "NODE_USE_ENV_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
  ];
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

test("keeps only the variables that the control plane needs when it restarts itself", () => {
  const kept = (name: string): boolean => isForControlPlane(name);
  expect(Object.keys(own).filter(kept)).toEqual(["PATH", "HOME", "LC_CTYPE", "HTTPS_PROXY", "NODE_OPTIONS"]);
  // When the control plane restarts itself, it passes on only these variables and the data for its new process.
  const all = {
    ...own,
    ...access,
    npm_config_userconfig: npmrc("//host/:_authToken=${NPM_TOKEN}"),
    NPM_TOKEN: "x",
  };
  const remaining = {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => kept(name))),
    ...ownAccess(all),
  };
  expect(remaining).not.toHaveProperty("AGENTSERVER_API_KEY");
  expect(gitEnvironment(remaining)).toEqual(gitEnvironment(all));
  expect(buildEnvironment(remaining)).toEqual(buildEnvironment(all));
  expect(agentEnvironment({}, [], remaining)).toEqual(agentEnvironment({}, [], all));
});

test("enables tracing if the project requests it", () => {
  expect(agentEnvironment({}, [{ name: "LANGSMITH_TRACING", value: "true" }], own)["LANGSMITH_TRACING"]).toBe(
    "true",
  );
});

test("passes registry settings to npm, but not the variables of the current npm script", () => {
  const environment = buildEnvironment(own);
  expect(environment["npm_config_registry"]).toBe("http://registry");
  expect(environment).not.toHaveProperty("npm_config_local_prefix");
  expect(environment).not.toHaveProperty("npm_lifecycle_event");
});

test("disables git's prompts, and does not pass GIT_DIR to git", () => {
  const environment = gitEnvironment(own);
  expect(environment).toMatchObject({ GIT_TERMINAL_PROMPT: "0", HTTPS_PROXY: "http://proxy" });
  expect(environment).not.toHaveProperty("GIT_DIR");
});

test("passes variables that grant access to repositories to git, but not to npm or agents", () => {
  const machine = { ...own, ...access };
  expect(gitEnvironment(machine)).toMatchObject(access);
  for (const name of Object.keys(access)) {
    expect(buildEnvironment(machine)).not.toHaveProperty(name);
    expect(agentEnvironment({}, [], machine)).not.toHaveProperty(name);
  }
});

test("passes npm settings and variables in the user's .npmrc to npm, but not to git or agents", () => {
  const machine = {
    ...own,
    npm_config_userconfig: npmrc(
      "@corp:registry=https://npm.corp.example/${TEAM?}\n" +
        "# //old.example/:_authToken=${OLD_TOKEN}\n" +
        "//npm.corp.example/:_authToken=${NPM_TOKEN}\nprefix=${PATH}\n",
    ),
    "npm_config_@corp:registry": "https://npm.corp.example",
    "npm_config_//npm.corp.example/:_authToken": "token",
    NPM_TOKEN: "x",
    TEAM: "x",
    OLD_TOKEN: "x",
  };
  const { PATH, ...environment } = buildEnvironment(machine);
  const given = [
    "npm_config_@corp:registry",
    "npm_config_//npm.corp.example/:_authToken",
    "NPM_TOKEN",
    "TEAM",
  ];
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(given));
  expect(environment).not.toHaveProperty("OLD_TOKEN");
  expect(PATH).toMatch(/.:\/bin$/);
  for (const name of given) {
    expect(gitEnvironment(machine)).not.toHaveProperty(name);
    expect(agentEnvironment({}, [], machine)).not.toHaveProperty(name);
  }
});
