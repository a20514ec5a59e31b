import { z } from "zod";
import { untransportable } from "./untransportable";

/** Any value that arrives as it was given. */
export const transportable = z.unknown().superRefine((value, context) => {
  for (const { path, problem } of untransportable(value))
    context.addIssue({ code: "custom", message: problem, path });
});

/** An object whose names and values are the user's. */
export const jsonObject = z.record(z.string(), transportable);
