import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { smallPng } from "./small-png";

/**
 * Saves a screenshot of a page in the folder that `AGENTSERVER_PICTURES` specifies, if it is set. If it is
 * `docs/images`, this updates the pictures in the documentation.
 */
export async function savePicture(page: Page, name: string): Promise<void> {
  const folder = process.env["AGENTSERVER_PICTURES"];
  if (folder) writeFileSync(join(folder, `${name}.png`), smallPng(await page.screenshot()));
}
