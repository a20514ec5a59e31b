import { execFileSync } from "node:child_process";
import { transpileModule } from "typescript";
import {
  type AgentRequest,
  pythonLiteral,
  requestCode,
} from "../../../../emulator/page/client/playground/agent/request-code";

const request: AgentRequest = {
  method: "POST",
  path: "/threads/t1/runs/stream",
  body: {
    assistant_id: "agent",
    input: { messages: [{ type: "human", content: "it's $HOME\n" }], draft: true, none: null },
    stream_mode: ["values"],
  },
  call: "runs.stream",
  args: ["t1", "agent"],
  isStream: true,
};
const url = "http://127.0.0.1:8123/agents/a1";

test("quotes the body in a curl command", () => {
  const code = requestCode("curl", url, request);
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${code}`;
  const args = execFileSync("sh", ["-c", script], { env: { AGENTSERVER_API_KEY: "key" } })
    .toString()
    .split("\0");
  expect(args.slice(0, 4)).toEqual(["-N", "-X", "POST", `${url}/threads/t1/runs/stream`]);
  expect(args).toContain("X-Api-Key: key");
  expect(JSON.parse(args[args.indexOf("-d") + 1]!)).toEqual(request.body);
});

test("passes arguments to the official clients by position and by name", () => {
  expect(requestCode("Python", url, request)).toContain(
    'client.runs.stream("t1", "agent", input={"messages": [{"type": "human", "content": "it\'s $HOME\\n"}], ' +
      '"draft": True, "none": None}, stream_mode=["values"])',
  );
  const code = requestCode("TypeScript", url, request);
  expect(code).toContain('client.runs.stream("t1", "agent", {');
  expect(code).toContain('"streamMode": [');
  expect(code).not.toContain("assistant_id");
  expect(transpileModule(code, { reportDiagnostics: true }).diagnostics).toEqual([]);
});

test("writes JSON as a Python expression", () => {
  expect(pythonLiteral({ a: [true, false, null, 1.5, "x"] })).toBe('{"a": [True, False, None, 1.5, "x"]}');
});
