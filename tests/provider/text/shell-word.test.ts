import { spawnSync } from "node:child_process";
import { fc } from "../../properties";
import { shellOperands, shellWord } from "../../../provider/text/shell-word";

test("does not change words that a shell keeps unchanged", () => {
  for (const word of ["main", "agentserver:baseUrl", "acme/shop/dev", "ghcr.io/acme/agent@sha256:0a1b"])
    expect(shellWord(word)).toBe(word);
});

test("quotes any other string so that a shell parses it as one word", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("a$`'\"\\ \n;&|<>(){}*?!#~-%")) });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 50 }), (texts) => {
      const command = `printf '%s\\0' ${texts.map(shellWord).join(" ")}`;
      const { stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
      expect(stdout.split("\0").slice(0, -1)).toEqual(texts);
    }),
    { numRuns: 30 },
  );
});

test("prevents a command from treating an operand as an option", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("-eE n'$")) });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      const command = `set -f ${shellOperands(...texts)}; printf '%s\\0' "$@"`;
      const { stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
      expect(stdout.split("\0").slice(0, -1)).toEqual(texts);
    }),
    { numRuns: 30 },
  );
});
