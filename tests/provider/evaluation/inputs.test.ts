import { evaluationInputs } from "../../../provider/evaluation/inputs";

test.each([
  ["https://user@judge.example.com", "must not contain credentials; use headers"],
  ["https://:hush@judge.example.com", "must not contain credentials; use headers"],
  ["http://judge.example.com", "must be an https URL, or an http URL on this machine"],
  ["https://judge.example.com", undefined],
])("checks the URL of a judge: %s", (url, problem) => {
  const { error } = evaluationInputs.safeParse({ dataset: "a.jsonl", judge: { url } });
  expect(error?.issues.map(({ message }) => message)).toEqual(problem && [problem]);
});
