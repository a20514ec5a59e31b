import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { AgentServerError, asError } from "../errors";
import { isInside, slashed } from "../local-source/files";
import { shapeFindings } from "../resource/inputs/shape";
import { isGroup } from "../resource/inputs/values";
import { evaluationCase, type EvaluationCase, isCompared, type LocatedCase } from "./case";
import type { EvaluationInputs } from "./inputs";
import { schemaProblem } from "./json-schema";

/** Maximum number of cases of one evaluation. */
const maxCases = 10_000;
/** Maximum number of faults that one error message lists. */
const maxFaults = 10;

/**
 * Returns the cases of an evaluation. Paths are relative to the project folder and must be inside it.
 * @throws AgentServerError `bad_configuration` with the file, the line, the field, and the correction for each fault
 */
export async function readCases(
  { dataset, cases = [], judge }: Pick<EvaluationInputs, "dataset" | "cases" | "judge">,
  projectFolder: string,
): Promise<LocatedCase[]> {
  const located =
    dataset === undefined
      ? cases.map((one, index) => ({ value: one, at: `cases[${index}]` }))
      : await valuesIn(dataset, projectFolder);
  const faults = faultsIn(located, judge !== undefined);
  if (faults.length > 0) throw badDataset(faults);
  return located.map(({ value, at }) => ({ ...(value as EvaluationCase), at }));
}

/** A value in a dataset with its location. The value may not be a valid case. */
interface Located {
  value: unknown;
  at: string;
}

function faultsIn(located: readonly Located[], hasJudge: boolean): string[] {
  if (located.length === 0) return ["the dataset has no cases"];
  if (located.length > maxCases)
    return [`the dataset has ${located.length} cases, but at most ${maxCases} are allowed`];
  const places = new Map<unknown, string>();
  return located.flatMap(({ value, at }) => {
    if (!isGroup(value)) return [`${at}: must be an object with an input field`];
    const shape = shapeFindings(evaluationCase, value).map(
      ({ property, reason }) => `${at}: ${property} ${reason}`,
    );
    if (shape.length > 0) return shape;
    const one = value as EvaluationCase;
    if (!isCompared(one) && !hasJudge)
      return [`${at}: needs expect or schema, because the evaluation has no judge`];
    const problem = one.schema && schemaProblem(one.schema);
    if (problem !== undefined) return [`${at}: schema is not a JSON Schema: ${problem}`];
    if (one.id === undefined) return [];
    const earlier = places.get(one.id);
    places.set(one.id, earlier ?? at);
    return earlier === undefined
      ? []
      : [`${at}: the \`id\` ${JSON.stringify(one.id)} is already used at ${earlier}`];
  });
}

async function valuesIn(dataset: string, projectFolder: string): Promise<Located[]> {
  const files = await filesOf(dataset, projectFolder);
  return (await Promise.all(files.map((file) => valuesInFile(file, resolve(projectFolder, file))))).flat();
}

/** Returns the files that a path specifies, sorted. Only the file name can contain `*`. */
async function filesOf(dataset: string, projectFolder: string): Promise<string[]> {
  const folder = dirname(dataset);
  const name = basename(dataset);
  if (isAbsolute(dataset) || folder.includes("*"))
    throw badDataset([`${dataset} must be a path in the project folder, with * only in the file name`]);
  try {
    const [root, real] = await Promise.all(
      [resolve(projectFolder), resolve(projectFolder, folder)].map((one) => realpath(one)),
    );
    if (!isInside(slashed(real!), slashed(root!)))
      throw badDataset([`${dataset} is outside the project folder`]);
    const names = name.includes("*") ? (await readdir(real!)).filter(matching(name)).sort() : [name];
    if (names.length === 0) throw badDataset([`no file matches ${dataset}`]);
    const unknown = names.filter((one) => !/\.jsonl?$/.test(one));
    if (unknown.length > 0)
      throw badDataset(unknown.map((one) => `${join(folder, one)} must be a .jsonl or a .json file`));
    for (const one of names)
      if (!isInside(slashed(await realpath(join(real!, one))), slashed(root!)))
        throw badDataset([`${join(folder, one)} is outside the project folder`]);
    return names.map((one) => join(folder, one));
  } catch (error) {
    if (AgentServerError.is(error)) throw error;
    throw badDataset([`${dataset} cannot be read: ${asError(error).message}`]);
  }
}

function matching(pattern: string): (name: string) => boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`, "s");
  return (name) => expression.test(name);
}

async function valuesInFile(file: string, path: string): Promise<Located[]> {
  let content: string;
  try {
    content = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw badDataset([`${file} cannot be read: ${asError(error).message}`]);
  }
  if (file.endsWith(".json")) {
    const list = parsed(content, file);
    if (!Array.isArray(list)) throw badDataset([`${file} must contain a list of cases`]);
    return list.map((value: unknown, index) => ({ value, at: `${file} [${index}]` }));
  }
  return content.split("\n").flatMap((line, index) => {
    const at = `${file} line ${index + 1}`;
    return line.trim() === "" ? [] : [{ value: parsed(line, at), at }];
  });
}

function parsed(text: string, at: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message repeats the text, which may be confidential.
    throw badDataset([`${at} is not valid JSON`]);
  }
}

function badDataset(faults: readonly string[]): AgentServerError {
  const more = faults.length > maxFaults ? [`and ${faults.length - maxFaults} more`] : [];
  return new AgentServerError("bad_configuration", [...faults.slice(0, maxFaults), ...more].join("; "));
}
