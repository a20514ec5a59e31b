import { AxiosHeaders, type AxiosAdapter, type AxiosResponse } from "axios";
import { limitedAnswer, limitedQuery, refusalOf, type ServerLimits } from "../../../provider/server-limits";

/** Sends requests with the limits of a control plane, without a proxy. */
export function limited(http: AxiosAdapter, limits: ServerLimits): AxiosAdapter {
  return async (config) => {
    const { method = "get", url: path = "" } = config;
    if (!path.startsWith("/v2/")) return http(config);
    const refusal = refusalOf(limits, method.toUpperCase(), path);
    if (refusal) {
      const headers = new AxiosHeaders({ "content-type": "application/json" });
      const data = JSON.stringify(refusal.body);
      return { status: refusal.status, statusText: "", headers, config, data, request: {} };
    }
    const params = limitedQuery(limits, (config.params ?? {}) as Record<string, string>);
    const answer = (await http({ ...config, params })) as AxiosResponse<string>;
    if (answer.status >= 300 || !answer.data.startsWith("{")) return answer;
    const record = JSON.parse(answer.data) as Record<string, unknown>;
    return { ...answer, data: JSON.stringify(limitedAnswer(limits, record)) };
  };
}
