import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// The cache is in the user's own folder. In a folder that others can write to, they could replace the compiled code.
enableCompileCache(join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "agentserver-compiled"));
