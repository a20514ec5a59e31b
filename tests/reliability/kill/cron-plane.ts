/**
 * Control plane that kills its own process or its agents while it starts the runs of crons. Run it with the job as its
 * argument.
 */
import http, { type ClientRequest, type RequestOptions } from "node:http";
import { createInterface } from "node:readline";
import type { SQLInputValue } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { cronDeliveryHeader } from "../../../emulator/rollout/internal-api-headers";
import { startControlPlane, VirtualClock } from "../../../emulator/index";
import { Database } from "../../../emulator/storage/database";
import { processesIn } from "../../emulator/rollout/processes";

/** A step of starting a cron's run, and the process to kill at that step. */
export interface Kill {
  victim: "control plane" | "agent";
  moment: "recording" | "recorded" | "sending" | "sent" | "answered" | "removed";
  /** Delay between the step and the kill, in milliseconds. */
  after: number;
  /** Occurrence of the step at which the process is killed, starting at 1. */
  occurrence: number;
}

export interface CronPlaneJob {
  state: string;
  apiKey: string;
  /** Initial virtual time, in milliseconds since 1970. */
  now: number;
}

const job = JSON.parse(process.argv[2] ?? "") as CronPlaneJob;
let next: Kill | undefined;
let left = 0;

function reach(moment: Kill["moment"]): void {
  if (next?.moment !== moment || --left > 0) return;
  const { victim, after } = next;
  next = undefined;
  const kill = () => {
    const victims = victim === "agent" ? processesIn(job.state) : [process.pid];
    for (const pid of victims) process.kill(pid, "SIGKILL");
    console.log("killed");
  };
  if (after === 0) kill();
  else setTimeout(kill, after);
}

const { request } = http;
http.request = ((url: string, options: RequestOptions): ClientRequest => {
  const isDelivery = Object.hasOwn(options.headers ?? {}, cronDeliveryHeader);
  if (isDelivery) reach("sending");
  const sent = request(url, options);
  if (isDelivery) sent.on("finish", () => reach("sent")).on("response", () => reach("answered"));
  return sent;
}) as typeof request;

type Values = SQLInputValue[];
const unwatched: {
  all: (this: Database, sql: string, ...values: Values) => unknown[];
  run: (this: Database, sql: string, ...values: Values) => number;
} = Database.prototype;
const { all, run } = unwatched;
unwatched.all = function (sql, ...values) {
  if (sql.startsWith("SELECT cron_id FROM firings")) reach("recorded");
  return all.call(this, sql, ...values);
};
unwatched.run = function (sql, ...values) {
  if (sql.startsWith("UPDATE crons SET next_run_at")) reach("recording");
  const changes = run.call(this, sql, ...values);
  if (sql.startsWith("DELETE FROM firings WHERE firing_id")) reach("removed");
  return changes;
};

async function main(): Promise<void> {
  const clock = new VirtualClock(job.now);
  const { state, apiKey } = job;
  const plane = await startControlPlane({ rollout: "real", state, apiKey, clock });
  const { baseUrl, tenantId } = plane;
  console.log(`serving ${JSON.stringify({ baseUrl, apiKey, tenantId })}`);
  createInterface({ input: process.stdin }).on("line", (line) => {
    next = JSON.parse(line) as Kill;
    left = next.occurrence;
    void clock.advance(3_600_000 - (clock.now() % 3_600_000));
  });
  for (;;) {
    await sleep(50);
    await clock.advance(50);
  }
}

void main();
