import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "../../../json";
import { temporaryFolder } from "../../temporary-folder";
import { Host, programInfo, type Started } from "./host";
import { program } from "./program";

test("passes the same arguments as the official host, and the configuration, to the SDK", async () => {
  const host = await Host.start(["--tracing", "http://tracer", "127.0.0.1:1"]);
  const folder = program(`
    const { PULUMI_CONFIG, PULUMI_CONFIG_SECRET_KEYS, PULUMI_NODEJS_TYPESCRIPT } = process.env;
    const env = { PULUMI_CONFIG, PULUMI_CONFIG_SECRET_KEYS, PULUMI_NODEJS_TYPESCRIPT };
    console.log(JSON.stringify({ runner: process.argv[1], argv: process.argv.slice(2), env }));
  `);

  const response = await host.run(folder, (request) => {
    request.setDryrun(true).setArgsList(["one", "two"]);
    request.getConfigMap().set("project:key", "value").set("other:nested:key", "deep");
    request.setConfigsecretkeysList(["other:nested:key"]);
  });

  expect(response.toObject()).toEqual({ error: "", bail: false });
  const { runner, argv, env } = readJson<Started & { runner: string }>(host.output);
  expect(runner).toBe(join(folder, "node_modules/@pulumi/pulumi/cmd/run/index.js"));
  expect(argv.join(" ")).toBe(
    `--monitor 127.0.0.1:2 --engine 127.0.0.1:1 --organization organization --project project --root-directory ${folder}` +
      ` --stack stack --pwd ${folder} --parallel 7 --tracing http://tracer --dry-run . one two`,
  );
  expect(env.PULUMI_NODEJS_TYPESCRIPT).toBe("true");
  expect(readJson<object>(env.PULUMI_CONFIG!)).toEqual({
    "project:config:key": "value",
    "other:config:nested:key": "deep",
  });
  expect(env.PULUMI_CONFIG_SECRET_KEYS).toBe('["other:nested:key"]');
});

test("applies the options in the project file", async () => {
  const host = await Host.start();
  const folder = program(`
    const { PULUMI_NODEJS_TYPESCRIPT = "off", PULUMI_NODEJS_TSCONFIG_PATH } = process.env;
    console.log(JSON.stringify([PULUMI_NODEJS_TYPESCRIPT, PULUMI_NODEJS_TSCONFIG_PATH, process.execArgv.slice(3)]));
  `);
  const options = { typescript: false, tsconfig: "tsconfig.pulumi.json", nodeargs: "--title 'two words'" };

  await host.run(folder, (request) => request.setInfo(programInfo(folder, options)));

  expect(JSON.parse(host.output)).toEqual(["off", "tsconfig.pulumi.json", ["--title", "two words"]]);
});

test("loads the SDK's package reader only when it is used", async () => {
  const host = await Host.start();
  const folder = program(
    `
    const { read } = require("@pulumi/pulumi/runtime/closure/codePaths");
    console.log("before");
    read();
  `,
    {
      "node_modules/@npmcli/arborist/index.js": 'console.log("loaded"); exports.Arborist = class {};',
      "node_modules/@pulumi/pulumi/runtime/closure/codePaths.js": `
        const arborist = require("@npmcli/arborist");
        if (!arborist.__esModule) throw new Error("the SDK would read all properties");
        exports.read = () => console.log(new arborist.Arborist().constructor === arborist.Arborist);`,
    },
  );

  await host.run(folder);

  expect(host.output).toBe("before\nloaded\ntrue\n");
});

test("reports an invalid option", async () => {
  const host = await Host.start();
  const folder = program("");

  const response = await host.run(folder, (request) =>
    request.setInfo(programInfo(folder, { typescript: "yes" })),
  );

  expect(response.getError()).toBe("typescript option must be a boolean");
});

test.each([
  ["process.exit(0)", { error: "", bail: false }],
  ["process.exit(32)", { error: "", bail: true }],
  ["process.exit(3)", { error: "Program exited with non-zero exit code: 3", bail: false }],
  [
    "process.kill(process.pid, 'SIGKILL')",
    { error: "Program was terminated by signal SIGKILL", bail: false },
  ],
])("reports the result of a program that calls %s", async (source, expected) => {
  const host = await Host.start();

  const response = await host.run(program(source));

  expect(response.toObject()).toEqual(expected);
});

test("suggests a fix if the SDK is not installed", async () => {
  const host = await Host.start();

  const response = await host.run(temporaryFolder({ "index.js": "" }));

  expect(response.getError()).toBe(
    "It looks like the Pulumi SDK has not been installed. Have you run pulumi install?",
  );
});

test("keeps all output of a program that writes a lot and exits immediately", async () => {
  const host = await Host.start();
  const source = readFileSync(join(__dirname, "fixtures", "noisy", "index.js"), "utf8");

  const response = await host.run(program(source));

  expect(response.getError()).toContain("1");
  expect(host.output).toHaveLength(2 * 1024 * 1024 + "last words on stdout\n".length);
  expect(host.stderr).toBe("last words on stderr\n");
});
