import { shownAnswer } from "../../../emulator/page/masking";

test("the page shows no password of a repository's URL", () => {
  const config = { repo_url: "https://user:canary-3f9c@example.test/agent.git" };
  expect(
    shownAnswer({ source_config: config, status_message: `cannot read ${config.repo_url}` }, []),
  ).toEqual({
    source_config: { repo_url: "https://[masked]@example.test/agent.git" },
    status_message: "cannot read https://[masked]@example.test/agent.git",
  });
});
