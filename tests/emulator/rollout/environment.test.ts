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
