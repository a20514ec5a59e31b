import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// The folder of the user, because compiled code in a folder that others can write to could be replaced by them.
enableCompileCache(join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "agentserver-compiled"));
