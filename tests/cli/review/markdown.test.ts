import { fc } from "../../properties";
import { markdownReport } from "../../../cli/review/formats/markdown";
import { reasonsFor } from "../../../provider/deployment/plan/reasons";
import { lineOf } from "../../provider/deployment/in-words";
import { previewOf, reportOf, updated, urnOf } from "./previews";

/** Strings that Markdown would interpret outside code. */
const hostile = fc.oneof(
  fc.constantFrom(
    "@everyone",
    "`",
    "``` ` ```",
    "</details>",
    "</code><img src=x onerror=alert(1)>",
    "--><script>",
    "[click](https://evil.example)",
    "![x](https://evil.example/pixel.png)",
    "a | b",
    "line\n\n# heading\n/approve",
    "#1 !2 org/repo#3",
    "\u202eevil\u0000\u001b[31m",
    "&lt;b&gt;",
    "\\`",
    "*bold* _it_ ~~gone~~",
    "` <b>@me</b> [a](b) `",
    "`` ` <i>@me</i> `` ![c](d) ```",
  ),
  fc.string({ unit: "grapheme" }),
);

/** Returns the comment without the parts that Markdown displays as code. */
function withoutCode(markdown: string): string {
  return markdown
    .replace(/^(`{3,})text\n.*?\n\1$/gms, "CODE")
    .replace(/<code>[A-Za-z0-9 _.&#;-]*<\/code>/g, "CODE")
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "CODE");
}

/** Returns a review comment that contains this text wherever a program or a server determines the content. */
function commentWith(text: string): string {
  const reasons = reasonsFor({
    changes: [
      { path: "name", effect: "replace", values: { from: "one", to: text } },
      { path: `secrets.${text}`, effect: "patch" },
      { path: text, effect: "patch", values: { from: text, to: text } },
    ],
    replaces: true,
    newRevision: false,
    resumesWait: false,
    afterFailure: false,
  });
  const resource = updated("a", lineOf(reasons), {
    operation: "replace",
    urn: `urn:pulumi:${text}::${text}::type::${text}`,
    after: { inputs: { name: text }, outputs: {} },
    refresh: {
      gone: false,
      reasons: `${text}; needs a new revision: x ${JSON.stringify(text)} → y [revision]`,
    },
  });
  const preview = previewOf([resource], {
    failed: true,
    errors: [{ urn: urnOf(text), message: text }],
    refreshed: true,
    policies: [{ urn: urnOf(text), policy: text, pack: text, level: "mandatory", message: text }],
  });
  const gates = { failOn: ["replace", "policy", "drift"] as const };
  return markdownReport(reportOf(preview, { gates, facts: { unknown: text } }));
}

test("escapes Markdown, HTML, and mentions in untrusted text", () => {
  const known = withoutCode(commentWith("harmless"));
  expect(known).toContain("<details open><summary>");
  fc.assert(
    fc.property(hostile, (text) => {
      // The special characters of the text must not appear in the hidden marker at the top.
      const [mark, ...rest] = commentWith(text).split("\n");
      expect(mark).toMatch(/^<!-- agentserver review [A-Za-z0-9_./-]* -->$/);
      expect(mark!.slice(4, -3)).not.toContain("--");
      const shown = withoutCode(rest.join("\n"));
      expect(shown.replace(/[^@<>|[\]*]/g, "")).toMatch(/^[<>*]*$/);
      for (const tag of shown.match(/<[^>]*>/g) ?? [])
        expect(tag).toMatch(/^<(\/?details|details open|\/?summary)>$/);
    }),
    { numRuns: 300 },
  );
});

test("escapes GitLab commands in untrusted text", () => {
  // Patterns of GitLab's extractor: one that recognizes inline code, and one that does not.
  const extractors = [
    /(?<code>^```.+?\n```$)|(?<inline>^.*`\n*.+?\n*`$)|(?<html>^<[^>]+?>\n.+?\n<\/[^>]+?>$)|(?<quote>^>>>.+?\n>>>$)|(?:^\/(?<cmd>\w+))/gims,
    /(?<code>^```.+?\n```$)|(?<html>^<[^>]+?>\n.+?\n<\/[^>]+?>$)|(?<quote>^>>>.+?\n>>>$)|(?:^\/(?<cmd>\w+))/gims,
  ];
  const line = fc.constantFrom(
    "/merge",
    "\u001b[0m/merge",
    "```",
    "`",
    ">>>",
    "<p>",
    "</p>",
    "boom",
    "\r/approve",
    "",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const comment = commentWith(`boom\n${lines.join("\n")}`);
      for (const extractor of extractors)
        expect([...comment.matchAll(extractor)].flatMap(({ groups }) => groups!["cmd"] ?? [])).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("writes the same comment for the same preview, regardless of the order of the steps", () => {
  const names = ["one", "two", "three", "four"];
  const resources = names.map((name) =>
    updated(name, "needs a new revision: sourceRevisionConfig.repoRef a → b [revision]"),
  );
  const comment = markdownReport(reportOf(previewOf(resources)));
  fc.assert(
    fc.property(fc.shuffledSubarray(resources, { minLength: 4 }), (shuffled) => {
      expect(markdownReport(reportOf(previewOf(shuffled)))).toBe(comment);
    }),
  );
});

test("keeps a comment below the size limit of GitHub and GitLab, regardless of its contents", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 2_000 }),
    fc.nat(300).map((length) => "`@<|\n".repeat(length)),
  );
  fc.assert(
    fc.property(text, fc.nat(100), fc.nat(100), (words, deployments, others) => {
      const shown = `needs a new revision: ${Array.from({ length: 20 }, (_, n) => `f${n} ${JSON.stringify(words)} → b`).join(", ")} [revision]`;
      const preview = previewOf(
        Array.from({ length: deployments }, (_, n) => updated(`agent-${n}`, shown)),
        {
          failed: others > 0,
          errors: Array.from({ length: others }, () => ({ urn: urnOf(words), message: words })),
          policies: Array.from({ length: others }, () => ({
            policy: words,
            pack: "p",
            level: "mandatory" as const,
            message: words,
          })),
        },
      );
      const comment = markdownReport(
        reportOf(preview, { gates: { failOn: ["policy"] }, facts: { unknown: words } }),
      );
      expect(comment.length).toBeLessThan(65_000);
    }),
    { numRuns: 25 },
  );
});

test("lists the most severe findings first, and reports how many do not fit into the comment", () => {
  const shown = "needs a new revision: sourceRevisionConfig.repoRef a → b [revision]";
  const many = Array.from({ length: 500 }, (_, n) => updated(`agent-${n}`, shown));
  const grave = updated("zebra", undefined, { operation: "delete" });
  const comment = markdownReport(reportOf(previewOf([...many, grave])));
  expect(comment.length).toBeGreaterThan(50_000);
  expect(comment.indexOf("<code>zebra</code> is deleted")).toBeLessThan(
    comment.indexOf("<code>agent-0</code>"),
  );
  expect(comment).toMatch(
    /\*Omitted for length: \d+ rolled out again\. The JSON report contains all of them\.\*/,
  );
});
