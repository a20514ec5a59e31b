import type { GraphConfiguration, GraphLanguage } from "../graph-configuration";
import type { RolloutJournal } from "../journal";
import type { AgentLogEntry } from "./agent-log";

/** A source that is about to be installed, or is installed. */
export interface Project {
  /** Root of the source. */
  root: string;
  /** Folder of the graph configuration. */
  folder: string;
  /** Runtime settings of the graph configuration; the files that it names may not exist yet. */
  language: GraphLanguage;
  /** Folder of this revision alone, above the source. */
  revisionFolder: string;
  /** Owner by which its processes are found when this one is gone, see `scopeOwner`. */
  owner: string;
}

/** An agent server that is to be started. */
interface AgentStart extends Project {
  configuration: GraphConfiguration;
  stateFolder: string;
  /** File with the known schemas of the graphs, shared by all processes of a build. */
  schemasFile: string;
  /** Runs that are active at once, at most. */
  workers: number;
}

/** A program that serves graphs and reports to the control plane on file descriptor 3. */
export interface AgentCommand {
  command: string;
  args: string[];
  /** Over the agent's own environment. */
  environment: Record<string, string>;
}

/** Runtime for graphs of one language. */
export interface Runtime {
  /** Makes ready what the project's own commands need; only called where they install. */
  prepare(project: Project, journal: RolloutJournal, signal: AbortSignal): Promise<void>;
  /** Installs what the project names; not called where a command of the settings does that. */
  install(project: Project, journal: RolloutJournal, signal: AbortSignal): Promise<void>;
  /** Looks whether what an earlier process installed is complete, and repairs what it can. */
  restore(project: Project): Promise<boolean>;
  /** Environment of the commands of the settings, over that of builds. */
  commandEnvironment(project: Project): Record<string, string>;
  /** Name and version of what will run the graphs, for people. */
  describe(project: Project): Promise<string>;
  agentCommand(start: AgentStart): AgentCommand;
  /** Reads a line that the agent server printed; undefined if there is nothing to tell. */
  logEntry(line: string, from: "stdout" | "stderr"): AgentLogEntry | undefined;
}
