import type { AgentServerClient } from "../agent-server/client";
import type { Operation } from "./operation";
import { claim } from "./ownership/claim";
import { type Metadata, ownerIn, ownerOf } from "./ownership/owner-tag";

/** Error that is thrown instead of sending a write if the object has changed since the last read. */
class ChangedMeanwhile extends Error {
  // An error without a message would be converted to another one.
  override message = "changed";
}

/**
 * Returns the operation with an additional condition for its writes: they are sent only if the object has not changed
 * since it was read. The object is read again before an attempt that follows a pause, for example after `Retry-After`.
 * Use within {@link untilUnchanged}.
 * @param isUnchanged reads the object, and returns true if it has not changed
 * @param readAt time of the last read; there may have been pauses since
 */
export function guarded<Op extends Operation>(
  op: Op,
  isUnchanged: () => Promise<boolean>,
  readAt: number,
): Op {
  const { server } = op as { server?: AgentServerClient };
  const { clock } = op.time;
  const guard = async (since: number) => {
    if (readAt > since) return;
    if (!(await isUnchanged())) throw new ChangedMeanwhile();
    readAt = clock.now();
  };
  return server ? { ...op, server: server.guarded(guard) } : op;
}

/**
 * Starts the operation again within {@link untilUnchanged}, after an external change during a pause. Returns
 * `undefined` if its time limit has passed.
 */
export function startAgain({ clock, deadline }: Operation["time"]): undefined {
  if (clock.now() < deadline.at) throw new ChangedMeanwhile();
}

/**
 * Runs an operation, including its first read. Runs it again each time the object has changed externally during a
 * pause.
 */
export async function untilUnchanged<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
}

/** An object that may have an ownership tag. */
interface Taggable {
  metadata?: Metadata | null | undefined;
}

/**
 * Returns the operation with writes that are sent only while no other resource has adopted the object.
 * @param readAt time at which the object was read
 * @param read returns the object; `undefined` if it no longer exists
 */
export function guardedOwner<Op extends Operation>(
  op: Op,
  { metadata }: Taggable,
  readAt: number,
  read: () => Promise<Taggable | undefined>,
): Op {
  const isUnchanged = async () => {
    const now = await read();
    // An earlier attempt may have deleted the object, or written the tag.
    return !now || [ownerOf(metadata), op.resource.ownerId].includes(ownerOf(now.metadata));
  };
  return guarded(op, isUnchanged, readAt);
}

/**
 * Deletes an object that this resource owns; returns false if another resource has adopted it during a pause.
 * @param title subject of the warning, for example "Cron 4711"
 * @param found the object, as read at `readAt`
 */
export function deleteOwned<Op extends Operation, Found extends Taggable>(
  op: Op,
  title: string,
  found: Found,
  {
    readAt,
    read,
    remove,
  }: { readAt: number; read: () => Promise<Found | undefined>; remove: (op: Op) => Promise<unknown> },
): Promise<boolean> {
  let seen = { object: found, at: readAt };
  const readAgain = async () => {
    const at = op.time.clock.now();
    const now = await read();
    if (now) seen = { object: now, at };
    return now;
  };
  return untilUnchanged(async () => {
    const { object, at } = seen;
    const { owner, holder } = ownerIn(object.metadata, op.resource, true);
    if (claim(op.report, "delete", { title, owner, holder }) === "keep") return false;
    await remove(guardedOwner(op, object, at, readAgain));
    return true;
  });
}
