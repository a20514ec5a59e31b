import { z } from "@hono/zod-openapi";
import {
  listenerComputeConfig,
  listenerCreateRequest,
  listenerPatchRequest,
  listenerRecord,
} from "../../../wire";

const computeConfig = listenerComputeConfig.extend({}).openapi("ListenerComputeConfig");

/** Body of a create. */
export const listenerBody = listenerCreateRequest
  .extend({ compute_config: computeConfig })
  .openapi("ListenerCreateRequest");

/** Body of a PATCH; what cannot change may be repeated. */
export const listenerPatchBody = listenerPatchRequest
  .extend({
    compute_config: computeConfig.nullish(),
    compute_type: z.string().nullish(),
    compute_id: z.string().nullish(),
  })
  .openapi("ListenerPatchRequest");

/** A listener in an answer. */
export const listenerAnswer = listenerRecord.extend({ compute_config: computeConfig }).openapi("Listener");

/** A page of listeners. */
export const listenersAnswer = z
  .object({ resources: z.array(listenerAnswer), offset: z.number().int() })
  .openapi("ListenersList");

export const listenerPath = z.object({ listener_id: z.guid() });
