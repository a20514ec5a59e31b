import { z } from "zod";

/**
 * ID assigned by a server. Restricted to safe characters, because it is used in URLs and in commands that messages
 * suggest.
 */
export const identifier = z.string().regex(/^\w[\w.:-]{0,255}$/, "is not an ID");
