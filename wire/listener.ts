import { z } from "zod";

/** Configuration of a listener. The applicable fields depend on its `compute_type`. */
export const listenerComputeConfig = z.object({ k8s_namespaces: z.array(z.string()).nullish() });

/** Body of `POST /v2/listeners`. */
export const listenerCreateRequest = z.object({
  version: z.string().nullish(),
  compute_type: z.literal("k8s"),
  compute_id: z.string(),
  compute_config: listenerComputeConfig,
});

/** Body of `PATCH /v2/listeners/{listener_id}`; null means "unchanged". */
export const listenerPatchRequest = z.object({
  version: z.string().nullish(),
  compute_config: listenerComputeConfig.nullish(),
});

/** Listener record as servers return it. */
export const listenerRecord = listenerCreateRequest.extend({
  id: z.guid(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** Response of `GET /v2/listeners`. The next page starts at `offset`. */
export const listenersList = z.object({ resources: z.array(listenerRecord), offset: z.number().int() });

export type ListenerComputeConfig = z.infer<typeof listenerComputeConfig>;
export type ListenerCreateRequest = z.infer<typeof listenerCreateRequest>;
export type ListenerPatchRequest = z.infer<typeof listenerPatchRequest>;
export type ListenerRecord = z.infer<typeof listenerRecord>;
