import { join } from "node:path";
import { selectExample } from "../../../tools/quickstart/paths";
import { repositoryRoot } from "../../../tools/repository";

test("selects the quickstart and its project in the repository by default", () => {
  expect(selectExample([])).toMatchObject({
    name: "quickstart",
    agentFolder: join(repositoryRoot, "examples", "quickstart", "agent"),
    projectFolder: repositoryRoot,
  });
});

test("selects an example with its own agent, repository, and project", () => {
  const example = selectExample(["--example", "python-agent"]);
  expect(example.agentFolder).toBe(join(repositoryRoot, "examples", "python-agent", "agent"));
  expect(example.projectFolder).not.toBe(repositoryRoot);
  expect(example.agentRepository).not.toBe(selectExample([]).agentRepository);
});

test.each([
  [["--example"]],
  [["--example", "kubernetes"]],
  [["--example", "../quickstart"]],
  [["--example", "memory"]],
])("rejects %j, and lists the available examples", (words) => {
  expect(() => selectExample(words)).toThrow(
    /^".*" is not an example that this command can run\. Available examples: python-agent, python-program, quickstart\. The README/,
  );
});
