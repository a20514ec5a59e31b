import type { AxiosStatic } from "axios";

/**
 * Returns the HTTP client, which is loaded with the first request: most operations of a program without changes send
 * none.
 */
export function loadAxios(): AxiosStatic {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  return (require("axios") as { default: AxiosStatic }).default;
}
