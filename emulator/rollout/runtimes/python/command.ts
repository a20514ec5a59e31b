import { runSupervised } from "../../../process/supervised-command";

/** Program to run, and its options. */
export interface PythonCommand {
  command: string;
  args: string[];
  folder: string;
  environment: Record<string, string>;
  owner: string;
  signal: AbortSignal;
  line?: (line: string) => void;
}

/** Result of a command. */
interface Outcome {
  code: number;
  lines: string[];
}

/** Runs a supervised program and captures its output. */
export async function run({ line, ...options }: PythonCommand): Promise<Outcome> {
  const lines: string[] = [];
  const code = await runSupervised({
    ...options,
    line(text) {
      if (text.trim() === "") return;
      lines.push(text);
      line?.(text);
    },
  });
  return { code, lines };
}
