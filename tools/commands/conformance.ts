import { createInterface } from "node:readline/promises";
import { systemClock } from "../../provider/clock";
import { runCommand } from "../command";
import { conformance } from "../conformance/command";

/** Implements `npm run conformance`: checks the provider's assumptions about a control plane. */
void runCommand(({ arguments: words, signal }) =>
  conformance(words, {
    env: process.env,
    clock: systemClock,
    signal,
    print: (text) => console.log(text),
    ...(process.stdin.isTTY && { confirm: (question: string) => ask(question, signal) }),
  }),
);

async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^yes$/i.test((await terminal.question(`${question} Type "yes": `, { signal })).trim());
  } finally {
    terminal.close();
  }
}
