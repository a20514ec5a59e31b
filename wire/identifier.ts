import { z } from "zod";

/** Id that a server assigns. Anything but a plain word could change a URL, or a command that a message suggests. */
export const identifier = z.string().regex(/^\w[\w.:-]{0,255}$/, "is not an id");
