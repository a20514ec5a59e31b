import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DockerRules } from "../../../provider/local-source/docker-rules";
import { fc } from "../../properties";
import { isLongRun } from "../../reliability/figures";
import { foldersOf, isIgnoredByDocumentation } from "./documented-dockerignore";

const rulesOf = (text: string) => new DockerRules("/agent/.dockerignore", text);

/** Cases with the results of github.com/moby/patternmatcher 0.6.1, which Docker and BuildKit use. */
const mobyCases = JSON.parse(readFileSync(join(__dirname, "moby-cases.json"), "utf8")) as {
  text: string;
  ignored: string[];
  sent: string[];
}[];

describe("DockerRules", () => {
  test("returns the same result as moby/patternmatcher", () => {
    for (const { text, ignored, sent } of mobyCases) {
      const rules = rulesOf(text);
      const all = [...ignored, ...sent];
      expect({ text, ignored: all.filter((path) => rules.ignores(path)) }).toEqual({ text, ignored });
    }
  });

  test.each([
    ["secret.txt", ["secret.txt"], ["src/secret.txt"]],
    ["*.pem", ["a.pem"], ["src/a.pem"]],
    ["**/*.pem", ["a.pem", "src/deep/a.pem"], ["a.pem.txt"]],
    ["/build", ["build/x"], ["src/build/x"]],
    ["*\n!src\nsrc/a", ["b", "src/a"], ["src/b"]],
    ["src\n!src/*.md\nsrc/README.md", ["src/a", "src/README.md"], ["src/b.md"]],
    ["\ufeff#a\nc", ["c"], ["#a", "a"]],
    ["\ufeffa\r\n#b\n  c  \n", ["a", "c"], ["#b", "b"]],
  ])("anchors patterns at its folder, and gives the last match precedence: %j", (text, ignored, sent) => {
    const rules = rulesOf(text);
    expect([...ignored, ...sent].filter((path) => rules.ignores(path))).toEqual(ignored);
  });

  test.each(["[a", "[]", "a\\", "!", "[b-a]", "[a-]"])(
    "rejects %j, like Docker, and names the file",
    (pattern) => {
      expect(() => rulesOf(`a\n${pattern}\n`)).toThrow(
        `/agent/.dockerignore contains the pattern ${JSON.stringify(pattern)}, which Docker rejects. Correct it.`,
      );
    },
  );

  test("matches the documented rules, and reads every folder with files to send", () => {
    const segment = fc.constantFrom(
      "a",
      "b",
      "ab",
      "*",
      "?",
      "a*",
      "*b",
      "[ab]",
      "[^a]b",
      "**",
      "é",
      "a.b",
      "\\*",
    );
    const pattern = fc
      .tuple(
        fc.constantFrom("", "!", "!", "/", " "),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", "", "/"),
      )
      .map(([start, segments, end]) => `${start}${segments.join("/")}${end}`);
    const path = fc
      .array(fc.constantFrom("a", "b", "ab", "abb", "é", "a.b", "axb", "*", "c"), {
        minLength: 1,
        maxLength: 4,
      })
      .map((segments) => segments.join("/"));
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 5 }),
        fc.array(path, { minLength: 1, maxLength: 20 }),
        (patterns, paths) => {
          const rules = rulesOf(patterns.join("\n"));
          const wrong = paths.filter((one) => {
            const isIgnored = isIgnoredByDocumentation(patterns, one);
            const skips = foldersOf(one).some((folder) => rules.ignoresAllInside(folder));
            return rules.ignores(one) !== isIgnored || (skips && !isIgnored);
          });
          expect({ patterns, wrong }).toEqual({ patterns, wrong: [] });
        },
      ),
      { numRuns: isLongRun ? 50_000 : 1_000 },
    );
  });
});
