import { sentencesOf } from "../../../tools/messages/sentences";

function textsOf(source: string): string[] {
  return sentencesOf("a.ts", source).map(({ text }) => text);
}

test("lists sentences with the names of their interpolated values", () => {
  const source = `
    throw new Error(\`Deployment "\${name}" of \${plane.owner} has \${count(revisions, "revision")} now.\`);
    log("info", one ? "it is so" : "no");
  `;

  expect(textsOf(source)).toEqual(['Deployment "{name}" of {owner} has {…} now.', "it is so"]);
});

test("ignores codes, markup, queries, and code in templates", () => {
  const source = `
    const texts = ["bad_configuration", "SELECT id FROM rows WHERE id = 1", "<p>not a sentence here</p>"];
    const program = [\`import { \${names} } from "pulumi-agentserver";\`, \`const \${variable} = new Deployment();\`];
    const page = ["body { margin: 2rem auto; color: black; }", "fetch(path).then(async (answer) => answer.json())"];
    const python = ["import platform; print(platform.version())", "import sys, json; print(json.load(sys.stdin))"];
    const cookie = \`\${name}=\${value}; Path=/; HttpOnly; SameSite=Strict\`;
  `;

  expect(textsOf(source)).toEqual([]);
});

test("includes sentences that start with words that are keywords in code", () => {
  const source = `const help = ["export every deployment of the workspace", "Import the deployments into the stack"];`;

  expect(textsOf(source)).toHaveLength(2);
});

test("escapes control characters and writes each sentence on one line", () => {
  const source = String.raw`show("\u001b[2JThe first line\n  and the second\u200b one");`;

  expect(textsOf(source)).toEqual([String.raw`\u001b[2JThe first line and the second\u200b one`]);
});
