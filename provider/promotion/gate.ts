import { z } from "zod";
import { duration, durationInDays, maxDays, parseDuration } from "../text/duration";
import { configCommand } from "../text/config-command";
import { AgentServerError } from "../errors";
import type { Approval, PromotionGate } from "./decide";
import { days, isTimeZone } from "./window";

const isApproval = (text: string) => /^\S{7,}$/.test(text);
const approvalFormat =
  "must be a commit (at least its first seven digits), an image with its digest, the digest of an image, or an empty string if nothing is approved yet";

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "09:00"');

const window = z
  .strictObject({
    days: z
      .array(z.enum(days, `must be one of ${days.join(", ")}`))
      .min(1, "must have at least one day")
      .optional(),
    from: time,
    to: time,
    timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone such as "Europe/Berlin"'),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], error: "must differ from the start of the window" });

/** A check that must succeed before an artifact is promoted. */
const check = z
  .strictObject({
    command: z
      .array(z.string())
      .min(1, "must contain a program, optionally followed by arguments")
      .optional(),
    url: z
      .string()
      .refine((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ""), "must be an http or https URL")
      .optional(),
    timeout: duration.optional(),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    path: [],
    error: "requires a command or a url, but not both",
  });

/** Gate of a promotion. All specified conditions must be met. */
export const gateInputs = z
  .strictObject({
    approved: z
      .string()
      .refine((text) => text === "" || isApproval(text), approvalFormat)
      .nullish(),
    approvedFrom: z.string().regex(/\S/, "must be the name of a configuration key").optional(),
    soak: durationInDays.optional(),
    window: window.optional(),
    checks: z.array(check).min(1, "must contain at least one check").optional(),
  })
  .refine((gate) => Object.values<unknown>(gate).some((condition) => condition !== undefined), {
    path: [],
    error:
      "needs at least one condition: approved (an empty string if nothing is approved yet), approvedFrom, soak, window, or checks",
  })
  .refine(({ approved, approvedFrom }) => approved === undefined || approvedFrom === undefined, {
    path: ["approvedFrom"],
    error: "cannot be combined with approved; remove one of them",
  });

export type GateInputs = z.input<typeof gateInputs>;
export type CheckInputs = z.input<typeof check>;

/** Configuration of a program's stack. */
export interface ProgramConfig {
  /** Returns the value of a configuration key. */
  get: (key: string) => string | undefined;
  /** Returns the key in the format that `pulumi config set` accepts. */
  keyOf: (key: string) => string;
  /** Stack of the program, in the format of `--stack`; `undefined` if it is unknown. */
  stack: string | undefined;
}

/**
 * Returns the gate of a promotion, with the approval that the inputs or the configuration specify.
 * @throws AgentServerError `bad_configuration` if the configured approval is invalid
 */
export function readGate(
  { approved, approvedFrom, soak, window }: GateInputs,
  config: ProgramConfig,
): PromotionGate {
  return {
    approval:
      approvedFrom !== undefined
        ? configuredApproval(approvedFrom, config)
        : approved !== undefined
          ? { approved: approved || null, toApprove: (artifact) => `set gate.approved to "${artifact}"` }
          : undefined,
    soakMs: soak === undefined ? undefined : parseDuration(soak, maxDays),
    window,
  };
}

function configuredApproval(name: string, config: ProgramConfig): Approval {
  const key = config.keyOf(name);
  const approved = config.get(key)?.trim() || null;
  if (approved !== null && !isApproval(approved))
    throw new AgentServerError(
      "bad_configuration",
      `gate.approvedFrom: the configuration key ${key} ${approvalFormat.replace(", or an empty string if nothing is approved yet", ", or have no value")}.`,
    );
  return { approved, toApprove: (artifact) => `run \`${configCommand(config, key, artifact)}\`` };
}
