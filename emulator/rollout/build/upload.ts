import { constants, existsSync } from "node:fs";
import { cp } from "node:fs/promises";

/** Copies an upload to the build folder: the build writes into it, and the upload may be built again. */
export async function copyUpload(upload: string, folder: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(upload))
    throw new Error(
      "The source that was uploaded for this revision is gone. Upload it again, and make a new revision of it.",
    );
  await cp(upload, folder, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    // The only place at which a copy can be aborted.
    filter: () => {
      signal.throwIfAborted();
      return true;
    },
  });
}
