import { join } from "node:path";
import { exampleIn } from "../../../tools/quickstart/places";
import { repositoryRoot } from "../../../tools/repository";

test("without a name it is the quickstart, whose project is the repository's own", () => {
  expect(exampleIn([])).toMatchObject({
    name: "quickstart",
    agentFolder: join(repositoryRoot, "examples", "quickstart", "agent"),
    projectFolder: repositoryRoot,
  });
});

test("an example that is named has its own agent, repository and project", () => {
  const example = exampleIn(["--example", "python-agent"]);
  expect(example.agentFolder).toBe(join(repositoryRoot, "examples", "python-agent", "agent"));
  expect(example.projectFolder).not.toBe(repositoryRoot);
  expect(example.agentRepository).not.toBe(exampleIn([]).agentRepository);
});

test.each([
  [["--example"]],
  [["--example", "kubernetes"]],
  [["--example", "../quickstart"]],
  [["--example", "memory"]],
])("%j is refused with what there is", (words) => {
  expect(() => exampleIn(words)).toThrow(
    /^There is no example ".*" that can be run so; there are python-agent, quickstart\. Others have their/,
  );
});
