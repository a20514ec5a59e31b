import type { GraphConfiguration, GraphLanguage } from "../build/graph-configuration";
import type { RolloutJournal } from "../build/journal";
import type { AgentLogEntry } from "./agent-log";

/** A source before or after its installation. */
export interface Project {
  /** Root folder of the source. */
  root: string;
  /** Folder that contains the graph configuration. */
  folder: string;
  /** Runtime settings of the graph configuration. The files that they refer to may not exist yet. */
  language: GraphLanguage;
  /** Parent folder of the source, used only by this revision. */
  revisionFolder: string;
  /** True if a command in the settings runs after the installation. It may change installed files. */
  hasBuildCommand: boolean;
  /** Owner that identifies the project's processes, even after this process has exited (see `treeOwner`). */
  owner: string;
}

/** An agent server to start. */
interface AgentStart extends Project {
  configuration: GraphConfiguration;
  stateFolder: string;
  /** File that stores the known schemas of the graphs, shared by all processes of a build. */
  schemasFile: string;
  /** Maximum number of concurrently active runs of the agent server. */
  workers: number;
}

/** A program that serves graphs and reports to the control plane on file descriptor 3. */
export interface AgentCommand {
  command: string;
  args: string[];
  /** Variables that override the agent's own environment. */
  environment: Record<string, string>;
}

/** Runtime for graphs in one language. */
export interface Runtime {
  /** Prepares for the project's own commands. Called only if these commands install the dependencies. */
  prepare(project: Project, journal: RolloutJournal, signal: AbortSignal): Promise<void>;
  /** Installs the dependencies of the project. Not called if a command in the settings does so. */
  install(project: Project, journal: RolloutJournal, signal: AbortSignal): Promise<void>;
  /** Returns true if the installation from an earlier process is complete. Repairs it first if possible. */
  restore(project: Project): Promise<boolean>;
  /** Returns variables for the commands in the settings. They override the variables of builds. */
  commandEnvironment(project: Project): Record<string, string>;
  /** Returns the name and version of the runtime of the graphs, for display. */
  describe(project: Project): Promise<string>;
  agentCommand(start: AgentStart): AgentCommand;
  /** Parses a line that the agent server printed. Returns `undefined` if the line is not worth logging. */
  logEntry(line: string, from: "stdout" | "stderr"): AgentLogEntry | undefined;
}
