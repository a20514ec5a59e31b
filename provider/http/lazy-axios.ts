import type { AxiosStatic } from "axios";

/**
 * Returns the HTTP client. It is loaded with the first request, because most operations of a program without changes do
 * not send any.
 */
export function loadAxios(): AxiosStatic {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  return (require("axios") as { default: AxiosStatic }).default;
}
