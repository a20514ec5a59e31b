import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../repository";

/**
 * Script that implements the container engine commands that rollouts use, and records its calls. Its containers are
 * processes on this machine that serve their environment.
 */
const script = `#!${process.execPath}
const { spawn } = require("node:child_process");
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const home = process.env.DOCKER_CONFIG;
const [command, ...rest] = process.argv.slice(2);
appendFileSync(join(home, "calls"), JSON.stringify(process.argv.slice(2)) + "\\n");
const die = (text, code = 1) => { process.stderr.write(text + "\\n"); process.exit(code); };
const images = () => readFileSync(join(home, "images"), "utf8").split("\\n");
const file = (name) => join(home, name + ".json");
const found = (name) => existsSync(file(name)) ? JSON.parse(readFileSync(file(name), "utf8")) : undefined;
const end = (name) => { const it = found(name); if (!it) return; try { process.kill(it.pid, "SIGTERM"); } catch {} rmSync(file(name), { force: true }); };
if (command === "version") console.log("99.1");
else if (command === "pull") {
  const image = rest.at(-1);
  if (!images().includes(image)) die("Error response from daemon: manifest for " + image + " not found: manifest unknown.");
  console.log(image);
} else if (command === "image") {
  if (!existsSync(join(home, "local")) || !readFileSync(join(home, "local"), "utf8").split("\\n").includes(rest.at(-1))) die("No such image");
  console.log("sha256:1");
} else if (command === "port") {
  const it = found(rest[0]);
  if (!it) die("No such container");
  console.log("127.0.0.1:" + it.port);
} else if (command === "stop") end(rest.at(-1));
else if (command === "rm") end(rest.at(-1));
else if (command === "run") {
  const option = (name) => rest.flatMap((word, at) => (word === name ? [rest[at + 1]] : []));
  const name = option("--name")[0];
  const lines = readFileSync(option("--env-file")[0], "utf8").split("\\n").filter(Boolean);
  const environment = Object.fromEntries([
    ...lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    ...option("--env").map((variable) => [variable, process.env[variable]]),
  ]);
  const image = rest.at(-1);
  if (image.includes("dies")) die("no license for " + environment.KEY, 3);
  const healthy = image.includes("sick") ? 500 : 200;
  const server = require("node:http").createServer((request, response) => {
    const body = request.url === "/environment" ? environment : { ok: true, image };
    response.writeHead(healthy, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1", () => {
    writeFileSync(file(name), JSON.stringify({ pid: process.pid, port: server.address().port, rest }));
    console.log("serving with " + environment.KEY);
  });
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => { rmSync(file(name), { force: true }); process.exit(0); });
} else die("unknown command " + command);
`;

/** A fake container engine, in a folder that tests add to the `PATH`. */
export class StandIn {
  readonly folder = temporaryFolder("engine");
  readonly bin = join(this.folder, "bin");
  readonly #before = { PATH: process.env["PATH"], DOCKER_CONFIG: process.env["DOCKER_CONFIG"] };

  /** @param program - Name of the engine: docker or podman. */
  constructor(program = "docker") {
    mkdirSync(this.bin);
    writeFileSync(join(this.bin, program), script);
    chmodSync(join(this.bin, program), 0o755);
    this.hasImages();
    process.env["PATH"] = [this.bin, "/usr/bin", "/bin"].join(":");
    process.env["DOCKER_CONFIG"] = this.folder;
  }

  /** Sets the images that can be pulled, and the images that exist on this machine. */
  hasImages(toPull: string[] = [], local: string[] = []): void {
    writeFileSync(join(this.folder, "images"), toPull.join("\n"));
    writeFileSync(join(this.folder, "local"), local.join("\n"));
  }

  /** Returns the arguments of every call. */
  calls(): string[][] {
    const file = join(this.folder, "calls");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[]);
  }

  /** Returns the names of the running containers. */
  containers(): string[] {
    return readdirSync(this.folder).flatMap((name) => /^(agentserver-.*)\.json$/.exec(name)?.slice(1) ?? []);
  }

  /** Stops a container as if its process had exited. */
  end(name: string): void {
    const { pid } = JSON.parse(readFileSync(join(this.folder, `${name}.json`), "utf8")) as { pid: number };
    process.kill(pid, "SIGTERM");
  }

  remove(): void {
    Object.assign(process.env, this.#before);
    if (this.#before.DOCKER_CONFIG === undefined) delete process.env["DOCKER_CONFIG"];
  }
}
