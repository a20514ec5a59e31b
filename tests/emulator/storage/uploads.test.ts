import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stopAll } from "../control-plane/client";
import { sendThenRead } from "../control-plane/send-then-read";
import { archiveOf, tarGz } from "../control-plane/uploads/archive";
import { begin, offer, path, put } from "../control-plane/uploads/rig";
import { mountObstacle, readOnly, smallDisk } from "./disks";

afterEach(stopAll);

const obstacle = mountObstacle();
if (obstacle !== undefined)
  process.stderr.write(`Tests that mount disks of their own are skipped: ${obstacle}\n`);

/** Archive with half a megabyte of incompressible data. */
const archive = tarGz([{ path: "model.bin", text: execFileSync("head", ["-c", "500000", "/dev/urandom"]) }]);

(obstacle === undefined ? describe : describe.skip)("an upload that cannot be stored", () => {
  test("is rejected with 507 and advice if the disk is full, and accepted after space is freed", async () => {
    const disk = smallDisk();
    const state = join(disk.folder, "state");
    const { client, id, faults } = await begin({ state });
    const { upload_url, object_path } = await offer(client, id);
    disk.fill(process.pid, 100_000);
    const { status, text } = await put(upload_url, archive);
    expect(status).toBe(507);
    expect(JSON.parse(text)).toEqual({
      detail: expect.stringMatching(/\/unpacking\/.*model\.bin cannot be written: ENOSPC.* Free some space/),
    });
    expect(readdirSync(join(state, "unpacking"))).toEqual([]);
    expect(faults).toHaveLength(1);
    const change = { source_revision_config: { source_tarball_path: object_path } };
    expect((await client.patch(`${path}/${id}`, change)).status).toBe(400);
    disk.free(process.pid);
    expect((await put(upload_url, archive)).status).toBe(200);
    expect((await client.patch(`${path}/${id}`, change)).status).toBe(200);
  });

  test("is rejected with 507 if the disk becomes full while the client is still sending", async () => {
    const disk = smallDisk();
    const state = join(disk.folder, "state");
    const { client, id } = await begin({ state });
    const { upload_url } = await offer(client, id);
    const large = tarGz([
      {
        path: "model.bin",
        text: execFileSync("head", ["-c", "40000000", "/dev/urandom"], { maxBuffer: 5e7 }),
      },
    ]);
    for (const sent of [large, large.subarray(0, 25_000_000)]) {
      const announced = large.length;
      const headers = { "content-type": "application/gzip" };
      const answer = await sendThenRead({ url: upload_url, method: "PUT", headers, sent, announced });
      expect(answer).toMatch(/^HTTP\/1.1 507 /);
      expect(answer).toContain("Free some space");
    }
    expect(readdirSync(join(state, "unpacking"))).toEqual([]);
  });

  test("is rejected with 503 if the state folder is not writable", async () => {
    const disk = smallDisk();
    const state = join(disk.folder, "state");
    const { client, id } = await begin({ state });
    const { upload_url } = await offer(client, id);
    await put(upload_url, archiveOf({ a: "" }));
    const writable = readOnly(join(state, "unpacking"));
    try {
      const { status, text } = await put(upload_url, archive);
      expect([status, text]).toEqual([503, expect.stringMatching(/unpacking.* cannot be written: EROFS/)]);
    } finally {
      writable();
    }
  });
});
