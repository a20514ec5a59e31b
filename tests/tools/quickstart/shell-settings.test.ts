import { execFileSync } from "node:child_process";
import { shellLines } from "../../../tools/quickstart/shell-settings";

test("sets the variables and the PATH of a shell without changing its folder", () => {
  const lines = shellLines({
    folders: ["/the engine/bin", "/node's/bin"],
    variables: { PULUMI_HOME: "/it's $HOME" },
    removed: ["PULUMI_CONFIG_PASSPHRASE"],
  });
  const print = 'printf "%s\\n" "$PATH" "$PULUMI_HOME" "${PULUMI_CONFIG_PASSPHRASE-unset}" "$(pwd)"';
  const env = { PATH: "/usr/bin:/bin", PULUMI_CONFIG_PASSPHRASE: "mine" };
  const shown = execFileSync("/bin/sh", ["-c", [...lines, print].join("\n")], {
    cwd: "/",
    env,
    encoding: "utf8",
  });
  expect(shown.split("\n")).toEqual([
    "/the engine/bin:/node's/bin:/usr/bin:/bin",
    "/it's $HOME",
    "unset",
    "/",
    "",
  ]);
});
