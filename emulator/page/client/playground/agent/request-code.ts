/** Call of the official SDK, and the HTTP request that it sends. */
export interface AgentRequest {
  method: string;
  /** Path of the request, relative to the URL of the agent. */
  path: string;
  body: Record<string, unknown>;
  /** Method of the SDK, such as `runs.stream`. */
  call: string;
  /** Positional arguments of the call; the properties of `body` are its named arguments. */
  args: unknown[];
  /** True if the result is a stream. */
  isStream: boolean;
}

/** Languages that a request can be copied in. */
export const languages = ["curl", "Python", "TypeScript"] as const;

/** Language that a request can be copied in. */
export type Language = (typeof languages)[number];

/** Environment variable that the copied code reads the key from. */
const keyVariable = "AGENTSERVER_API_KEY";

/** Returns code that sends a request to the agent at `url`. The code reads the key from the environment. */
export function requestCode(language: Language, url: string, request: AgentRequest): string {
  if (language === "curl") return curl(url, request);
  return language === "Python" ? python(url, request) : typescript(url, request);
}

function curl(url: string, { method, path, body, isStream }: AgentRequest): string {
  const parts = [
    `curl ${isStream ? "-N " : ""}-X ${method} ${shellWord(url + path)}`,
    `-H "X-Api-Key: $${keyVariable}"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ];
  return parts.join(" \\\n  ");
}

function python(url: string, { call, args, body, isStream }: AgentRequest): string {
  const named = Object.entries(body)
    .filter(([name]) => !args.includes(body[name]) || name !== "assistant_id")
    .map(([name, value]) => `${name}=${pythonLiteral(value)}`);
  const expression = `client.${call}(${[...args.map(pythonLiteral), ...named].join(", ")})`;
  return `import os
from langgraph_sdk import get_sync_client

client = get_sync_client(url=${pythonLiteral(url)}, api_key=os.environ["${keyVariable}"])
${isStream ? `for part in ${expression}:\n    print(part.event, part.data)` : `print(${expression})`}
`;
}

function typescript(url: string, { call, args, body, isStream }: AgentRequest): string {
  const named = Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => name !== "assistant_id")
      .map(([name, value]) => [camelCase(name), value]),
  );
  const given = [...args, ...(Object.keys(named).length > 0 ? [named] : [])];
  const expression = `client.${call}(${given.map((one) => JSON.stringify(one, undefined, 2)).join(", ")})`;
  return `import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: ${JSON.stringify(url)}, apiKey: process.env.${keyVariable} });
${isStream ? `for await (const part of ${expression}) {\n  console.log(part.event, part.data);\n}` : `console.log(await ${expression});`}
`;
}

/** Returns a JSON value as a Python expression. */
export function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)}: ${pythonLiteral(part)}`,
  );
  return `{${entries.join(", ")}}`;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
