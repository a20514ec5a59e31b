import { shownAnswer } from "../../../emulator/page/masking";
import { formatTag } from "../../../wire";

const tag = formatTag({
  ownerId: "owner",
  revisions: 1,
  since: "2026-01-01T00:00:00.000Z",
  holder: { organization: "acme", project: "agents", stack: "prod", resource: "agent" },
  variables: ["COPY", "LOG_LEVEL", "ROUTE"],
});
const environment = [
  { name: "MODEL_KEY", value: "canary-3f9c" },
  { name: "PIN", value: "17" },
  { name: "LOG_LEVEL", value: "info" },
  { name: "COPY", value: "17" },
  { name: "ROUTE", value: "key=canary-3f9c" },
];

test("returns variables with values, secret names, and the owner as separate fields", () => {
  const secrets = [...environment, { name: "AGENTSERVER_OWNER", value: tag }];
  expect(shownAnswer({ id: "1", secrets }, ["canary-3f9c"])).toEqual({
    id: "1",
    secrets: ["MODEL_KEY", "PIN", "COPY"].map((name) => ({ name, value: "[masked]" })),
    variables: [
      { name: "LOG_LEVEL", value: "info" },
      { name: "ROUTE", value: "key=[masked]" },
    ],
    owner: 'resource "agent" of stack acme/agents/prod',
  });
});

test("masks all variables of a deployment without a readable ownership tag", () => {
  const names = environment.map(({ name }) => ({ name, value: "[masked]" }));
  expect(shownAnswer({ secrets: environment }, [])).toEqual({ secrets: names, variables: [] });
  const secrets = [...environment, { name: "AGENTSERVER_OWNER", value: "someone" }];
  expect(shownAnswer({ secrets }, [])).toEqual({ secrets: names, variables: [] });
});

test("masks passwords in repository URLs in the web console", () => {
  const config = { repo_url: "https://user:canary-3f9c@example.test/agent.git" };
  expect(
    shownAnswer({ source_config: config, status_message: `cannot read ${config.repo_url}` }, []),
  ).toEqual({
    source_config: { repo_url: "https://[masked]@example.test/agent.git" },
    status_message: "cannot read https://[masked]@example.test/agent.git",
  });
});
