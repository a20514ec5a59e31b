import * as pulumi from "@pulumi/pulumi";
import type { ServerArgs } from "../agent-server/server-args";
import { placeOf, placeOutput } from "./server-place";
import type { LookUpServer } from "./look-up-server";
import type { GetAssistantResult } from "./assistant-result";
import { lookUps } from "./look-ups";
import { describeAssistant } from "./described-assistant";

/** Which assistant to look up. */
export type GetAssistantArgs = LookUpServer &
  (
    | {
        /** Its id. */
        assistantId: string;
        name?: undefined;
      }
    | {
        assistantId?: undefined;
        /** Its whole name, which only one assistant may have. */
        name: string;
      }
  );

/**
 * Looks up an assistant (`GET /assistants/{assistant_id}`, or `POST /assistants/search` for a name). Fails when there is
 * none, or when several have the name.
 */
export async function getAssistant(args: GetAssistantArgs): Promise<GetAssistantResult> {
  const { assistantId, name } = args;
  if ((assistantId === undefined) === (name === undefined))
    throw new Error("getAssistant needs an assistantId or a name, and only one of them.");
  if ((assistantId ?? name).trim() === "")
    throw new Error(`getAssistant: ${assistantId === undefined ? "name" : "assistantId"} must not be empty.`);
  return describeAssistant(await lookUps().assistant(placeOf(args), { assistantId, name }));
}

/** Like `getAssistant`, for arguments that are known only later. */
export function getAssistantOutput(
  args: ServerArgs & { assistantId?: pulumi.Input<string>; name?: pulumi.Input<string> },
): pulumi.Output<GetAssistantResult> {
  const { assistantId, name } = args;
  return pulumi
    .all([placeOutput(args), pulumi.output({ assistantId, name })])
    .apply(([server, wanted]) => getAssistant({ ...server, ...wanted } as GetAssistantArgs));
}
