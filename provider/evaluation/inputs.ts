import { z } from "zod";
import { isLoopback } from "../http/proxy";
import { text } from "../resource/inputs/shape";
import { duration } from "../text/duration";
import { evaluationCase } from "./case";

/** True if the inputs of the cases that are sent to this URL are encrypted, or do not leave this machine. */
function isProtected(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
}

function hasCredentials(address: string): boolean {
  const url = URL.parse(address);
  return Boolean(url?.username || url?.password);
}

const judgeInputs = z
  .strictObject({
    assistant: text.optional(),
    url: text
      .refine(isProtected, "must be an https URL, or an http URL on this machine")
      .refine((url) => !hasCredentials(url), "must not contain credentials; use headers")
      .optional(),
    headers: z.record(text, text).optional(),
    instructions: z.string().optional(),
    pass: z.number().min(0, "must be between 0 and 1").max(1, "must be between 0 and 1").optional(),
  })
  .superRefine(({ assistant, url, headers }, context) => {
    if ((assistant === undefined) === (url === undefined))
      context.addIssue({
        code: "custom",
        path: [],
        message: "requires either an assistant or a url, but not both",
      });
    if (headers !== undefined && url === undefined)
      context.addIssue({ code: "custom", path: ["headers"], message: "requires a url" });
  });

/** Evaluation of a revision: runs on cases, and the required score. */
export const evaluationInputs = z
  .strictObject({
    dataset: text.optional(),
    cases: z.array(evaluationCase).min(1, "must have at least one case").optional(),
    graph: text.optional(),
    answer: text.optional(),
    concurrency: z.int().min(1, "must be at least 1").max(50, "must be at most 50").optional(),
    pass: z.number().min(0, "must be between 0 and 1").max(1, "must be between 0 and 1").optional(),
    judge: judgeInputs.optional(),
    caseTimeout: duration.optional(),
    noWorseThan: z.enum(["previous"]).optional(),
  })
  .refine(({ dataset, cases }) => (dataset === undefined) !== (cases === undefined), {
    path: [],
    error: "requires either a dataset or cases, but not both",
  });

export type EvaluationInputs = z.infer<typeof evaluationInputs>;
export type JudgeInputs = z.infer<typeof judgeInputs>;
