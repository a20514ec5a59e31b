import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { companions } from "../../../tools/dev-engine/path";
import { Progress } from "../../../tools/progress";
import { temporaryFolder, writeFile } from "../temporary-folder";

/** A machine that is simulated with shell scripts, with a PATH and an empty cache. */
export class Machine {
  readonly folder = temporaryFolder({ "bin/.keep": "" });
  readonly cache = join(this.folder, "cache");
  readonly env: NodeJS.ProcessEnv = { PATH: join(this.folder, "bin"), AGENTSERVER_CACHE: this.cache };
  /** Options of `ensureEngine` for this machine: no output, and no download server. */
  readonly options = {
    env: this.env,
    progress: new Progress({ write: () => true }),
    downloadObstacle: () => Promise.resolve<string | undefined>("the official server cannot be reached"),
  };

  withPulumi(version: string, beside: readonly string[] = companions): this {
    this.script("pulumi", `echo ${version}`);
    for (const name of beside) this.script(name, "");
    return this;
  }

  /** Adds a `go` command whose builds write half of the output, report it, and then run this code. */
  withGo({ version = "1.26.3", build = "", packages = ["example.com/module"] } = {}): this {
    this.script(
      "go",
      `case $1 in
         version) echo "go version go${version} linux/amd64" ;;
         mod) echo '${JSON.stringify({ Dir: this.module() })}' ;;
         list) printf '%s\\n' ${packages.join(" ")} ;;
         build) echo "$*" >> ${this.log("builds")}
           echo "$GOFLAGS $CGO_ENABLED $GOWORK" >> ${this.log("settings")}
           echo "go: downloading example.com/module v1.0.0" >&2
           while [ "$1" != -o ]; do shift; done
           printf half > "$2"
           /bin/chmod +x "$2"
           echo $$ > ${this.log("started")}
           ${build} ;;
       esac`,
    );
    return this;
  }

  /** Writes the files of the engine module that a build changes. */
  private module(): string {
    return writeEngineModule(join(this.folder, "module"));
  }

  /** Returns the lines that a script has logged under this name. */
  lines(name: string): string[] {
    return existsSync(this.log(name)) ? readFileSync(this.log(name), "utf8").trim().split("\n") : [];
  }

  log(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  private script(name: string, body: string): void {
    writeFile(join(this.folder, "bin", name), `#!/bin/sh\n${body}\n`);
  }
}

/** Writes the parts of the engine's sources that a build changes or removes. */
export function writeEngineModule(folder: string): string {
  const imports = (...paths: string[]) => `import (\n${paths.map((path) => `\t${path}\n`).join("")})\n`;
  const ours = "github.com/pulumi/pulumi/pkg/v3";
  const files = {
    "go.mod": `module ${ours}\n`,
    "backend/diy/backend.go": `package diy\n${imports(
      '"gocloud.dev/blob"',
      '"gocloud.dev/blob/azureblob"  // driver for azblob://',
      '_ "gocloud.dev/blob/fileblob" // driver for file://',
      '"gocloud.dev/blob/gcsblob"    // driver for gs://',
      '_ "gocloud.dev/blob/s3blob"   // driver for s3://',
      `"${ours}/authhelpers"`,
    )}func open() {\n\tif p.Scheme == gcsblob.Scheme {\n\t\ta()\n\t}\n\tif p.Scheme == azureblob.Scheme {\n\t\tb()\n\t}\n\tc()\n}\n`,
    "backend/diy/backend_test.go": "package diy\n",
    "backend/diy/testdata/state.json": "{}",
    "backend/diy/bucket.go": `package diy\n${imports('awss3 "github.com/aws/aws-sdk-go-v2/service/s3"')}var a *awss3.CopyObjectInput\nvar b *awss3.CopyObjectInput\n`,
    "secrets/cloud/manager.go": `package cloud\n${imports(
      'gosecrets "gocloud.dev/secrets"',
      '_ "gocloud.dev/secrets/awskms"        // support for awskms://',
      '_ "gocloud.dev/secrets/azurekeyvault" // support for azurekeyvault://',
      '"gocloud.dev/secrets/gcpkms"          // support for gcpkms://',
      '_ "gocloud.dev/secrets/hashivault"    // support for hashivault://',
      '"google.golang.org/api/cloudkms/v1"',
      `"${ours}/authhelpers"`,
    )}\tcase gcpkms.Scheme:\n\t\tx()\n\tdefault:\n`,
    "operations/operations_aws.go": "package operations // with the SDK of AWS\n",
  };
  for (const [path, text] of Object.entries(files)) writeFile(join(folder, path), text);
  return folder;
}

/** Installs a fake engine in the same way as the official installer. */
export async function fakeInstaller({ root }: { version: string; root: string }): Promise<void> {
  for (const name of ["pulumi", ...companions]) writeFile(join(root, "bin", name), "#!/bin/sh\n");
}
