import type { AxiosStatic } from "axios";

/**
 * Returns the HTTP client. The client is loaded for the first request, because most operations of a program without
 * changes send no requests.
 */
export function loadAxios(): AxiosStatic {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  return (require("axios") as { default: AxiosStatic }).default;
}
