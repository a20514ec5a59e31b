import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { GeneratePackageRequest } from "@pulumi/pulumi/proto/language_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { writeFile } from "../../temporary-folder";
import { gone, until } from "../../waiting";
import { Host, hostBinary, runRequest } from "./host";
import { lingeringProgram, program } from "./program";

test("stops the program, its children, and the host when the engine calls Cancel", async () => {
  const host = await Host.start();
  const running = host.run(program(lingeringProgram));
  const pids = await host.pids();

  await new Promise((resolve) => host.client.cancel(new Empty(), resolve));

  expect((await running).getError()).toBe("Program was terminated by signal SIGINT");
  for (const pid of pids) await gone(pid);
  expect(await host.ended()).toBe(0);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "stops the host and the program on %s",
  async (signal) => {
    const host = await Host.start();
    const running = host.run(program(lingeringProgram)).catch(() => undefined);
    const pids = await host.pids();

    host.process.kill(signal);

    for (const pid of pids) await gone(pid);
    await running;
    expect(await host.ended()).toBe(0);
  },
);

test("stops the program of a canceled call but not the host", async () => {
  const host = await Host.start();
  const call = host.client.run(runRequest(program(lingeringProgram)), () => undefined);
  const pids = await host.pids();

  call.cancel();

  for (const pid of pids) await gone(pid);
  expect((await host.run(program(""))).getError()).toBe("");
});

test("kills a program that ignores its signal", async () => {
  const host = await Host.start();
  const running = host.run(program(`process.on("SIGINT", () => {});${lingeringProgram}`));
  const pids = await host.pids();

  await new Promise((resolve) => host.client.cancel(new Empty(), resolve));

  expect((await running).getError()).toBe("Program was terminated by signal SIGKILL");
  for (const pid of pids) await gone(pid);
});

test.each(["pipe", "ignore"] as const)(
  "leaves no processes after the engine is killed (standard input: %s)",
  async (stdin) => {
    const engine = spawn(process.execPath, [
      "-e",
      `const host = require("node:child_process").spawn(process.execPath, [${JSON.stringify(await hostBinary())}],
       { stdio: ["${stdin}", "inherit", "inherit"], detached: true });
     console.error(host.pid); setInterval(() => {}, 1000);`,
    ]);
    const host = await Host.from(engine);
    await until(() => host.stderr.includes("\n"));
    const running = host.run(program(lingeringProgram)).catch(() => undefined);
    const pids = [...(await host.pids()), Number(host.stderr)];

    engine.kill("SIGKILL");

    for (const pid of pids) await gone(pid);
    await running;
  },
);

test("stops the host when its standard input, which the engine keeps open, is closed", async () => {
  const host = await Host.start();
  const running = host.run(program(lingeringProgram)).catch(() => undefined);
  const pids = await host.pids();

  host.process.stdin!.end();

  for (const pid of pids) await gone(pid);
  await running;
  expect(await host.ended()).toBe(0);
});

test("leaves no processes after the host is killed", async () => {
  const host = await Host.start();
  const running = host.run(program(lingeringProgram)).catch(() => undefined);
  const pids = await host.pids();

  host.process.kill("SIGKILL");

  for (const pid of pids) await gone(pid);
  await running;
});

test("leaves no processes if the host is killed while the program starts", async () => {
  const folder = program("setInterval(() => {}, 1_000);");
  const [started, goOn] = [join(folder, "started"), join(folder, "go-on")];
  writeFile(
    join(folder, "wait.cjs"),
    `if (process.argv[1]?.includes("/cmd/run/")) {
      const { existsSync, writeFileSync } = require("node:fs");
      writeFileSync(${JSON.stringify(started)}, String(process.pid));
      const pause = new Int32Array(new SharedArrayBuffer(4));
      while (!existsSync(${JSON.stringify(goOn)})) Atomics.wait(pause, 0, 0, 10);
    }`,
  );
  const host = await Host.start(undefined, { NODE_OPTIONS: `--require ${join(folder, "wait.cjs")}` });
  const running = host.run(folder).catch(() => undefined);
  await until(() => existsSync(started));

  host.process.kill("SIGKILL");
  await gone(host.process.pid!);
  writeFile(goOn, "");

  await gone(Number(readFileSync(started, "utf8")));
  await running;
});

test("returns UNIMPLEMENTED for unknown methods", async () => {
  const host = await Host.start();

  const error = await new Promise((resolve) =>
    host.client.generatePackage(new GeneratePackageRequest(), resolve),
  );

  expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
});
