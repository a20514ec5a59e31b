import { shownAnswer } from "../../../emulator/page/masking";

test("masks passwords in repository URLs on the page", () => {
  const config = { repo_url: "https://user:canary-3f9c@example.test/agent.git" };
  expect(
    shownAnswer({ source_config: config, status_message: `cannot read ${config.repo_url}` }, []),
  ).toEqual({
    source_config: { repo_url: "https://[masked]@example.test/agent.git" },
    status_message: "cannot read https://[masked]@example.test/agent.git",
  });
});
