import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { companions } from "../../../tools/engine/path";
import { Progress } from "../../../tools/progress";
import { temporaryFolder, writeFile } from "../temporary-folder";

/** A machine made of shell scripts: what is on its PATH, and an empty cache. */
export class Machine {
  readonly folder = temporaryFolder({ "bin/.keep": "" });
  readonly cache = join(this.folder, "cache");
  readonly env: NodeJS.ProcessEnv = { PATH: join(this.folder, "bin"), AGENTSERVER_CACHE: this.cache };
  /** For `ensureEngine`: this machine, silent. */
  readonly options = { env: this.env, progress: new Progress({ write: () => true }) };

  withPulumi(version: string, beside: readonly string[] = companions): this {
    this.script("pulumi", `echo ${version}`);
    for (const name of beside) this.script(name, "");
    return this;
  }

  /** A Go whose builds write half of the output, say so, and then do as shown. */
  withGo({ version = "1.26.3", build = "" } = {}): this {
    this.script(
      "go",
      `case $1 in
         version) echo "go version go${version} linux/amd64" ;;
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

  /** The lines that a script has left under this name. */
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

/** An installer that puts an engine into place as the official one does. */
export async function fakeInstaller({ root }: { version: string; root: string }): Promise<void> {
  for (const name of ["pulumi", ...companions]) writeFile(join(root, "bin", name), "#!/bin/sh\n");
}
