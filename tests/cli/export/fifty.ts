import type { AdminLibrary } from "../../../emulator/admin/library";
import type { DialectName } from "../../../provider/control-plane/dialects";

/** Workspace with all kinds of deployments that users create without Pulumi. */
export interface Fifty {
  /** Names of the deployments that can be adopted. */
  live: string[];
  /** Names of the deployments whose newest revision has failed. */
  failed: string[];
  /** ID of the deployment whose rollout stays in progress until a test advances it. */
  rolling: string;
  deleted: string;
  /** ID of the deployment whose name contains characters that could mislead readers. */
  unfit: string;
  /** ID of the deployment that has the ownership tag of another Pulumi resource. */
  owned: string;
}

/** Control plane of the workspace: its API and its admin controls. */
export interface Maker {
  dialect: DialectName;
  admin: AdminLibrary;
  request: (method: string, path: string, body?: object) => Promise<unknown>;
  /** Text that the values of all secrets contain. */
  canary: string;
  /** True to create each kind of secret only a few times, for commands that need a long time for each secret. */
  fewSecrets?: boolean;
}

const commit = "0123456789abcdef0123456789abcdef01234567";

const unfit = "\u202eright to left\u2028separator";

const oddNames = [
  `"); process.exit(1); //`,
  "it's `${odd}` */ /*",
  "tab-and\\backslash",
  "línea única № 5",
  "  leading and trailing ",
  "agent: {yes: no} # - &a *a !tag",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "class",
  "Case",
  "case",
  "support-agent",
  "supportAgent",
  "support_agent.v2",
  "7",
  "null",
  "${secret:NAME} $${env:HOME}",
];

/** Creates fifty deployments. All rollouts except one are complete. */
export async function makeFifty(maker: Maker): Promise<Fifty> {
  const { dialect, admin, request, canary, fewSecrets = false } = maker;
  admin.steer({ pace: "at once" });
  const langsmith = dialect === "langsmith";
  const integration = admin.seedIntegration({ name: "acme" });
  admin.setSelfHostedEnterprise(true);
  const graphConfig = langsmith ? "langgraph_config_path" : "graph_config_path";
  const create = async (name: string, index: number, change: Body = {}): Promise<string> => {
    const { source_config, source_revision_config, ...rest } = change;
    const body = {
      name,
      source: "github",
      secrets: secretsOf(index, canary, fewSecrets),
      ...rest,
      source_config: {
        repo_url: `https://git.example.com/${index % 7}.git`,
        deployment_type: index % 3 ? "prod" : "dev",
        build_on_push: index % 2 === 0,
        ...(index % 4 === 1 && { integration_id: integration }),
        ...source_config,
      },
      source_revision_config: {
        repo_ref: "main",
        [graphConfig]: "langgraph.json",
        ...source_revision_config,
      },
    };
    return ((await request("POST", "/v2/deployments", body)) as { id: string }).id;
  };
  const image = (name: string, index: number, uri: string, config: object = {}) =>
    request("POST", "/v2/deployments", {
      name,
      source: "external_docker",
      source_config: {
        resource_spec: { cpu: 1, memory_mb: 1024, min_scale: 1, labels: { team: "a b" } },
        ...config,
      },
      source_revision_config: { image_uri: uri },
      secrets: secretsOf(index, canary, fewSecrets),
    });

  const refs = ["main", "feature/x", "v1.4.0", commit, langsmith ? "refs/tags/v2" : "v2", "1.20", "no"];
  for (const [index, name] of oddNames.entries()) await create(name, index);
  for (let index = 0; index < 20; index += 1)
    await create(`agent-${String(index).padStart(2, "0")}`, index, {
      ...(fewSecrets && index !== 2 && { secrets: [] }),
      source_revision_config: { repo_ref: refs[index % refs.length] },
      source_config: {
        ...(index % refs.length === 4 && { build_on_push: false }),
        ...(index % 5 === 1 && !langsmith && { custom_url: `https://agents.example.com/${index}` }),
        ...(index % 5 === 2 && {
          resource_spec: { memory_mb: 512, max_scale: 3, unknown_key: { Deep: [1, null] } },
        }),
        ...(index % 5 === 3 && { custom_url: null, resource_spec: null, integration_id: null }),
        ...(langsmith &&
          index % 5 === 4 && { install_command: "npm ci\nnpm test", build_command: "npm run build" }),
      },
    });
  await create(unfit, 1);
  await create("mono", 1, { source_revision_config: { [graphConfig]: "apps/agent one/langgraph.json" } });
  await image("image-tag", 3, "registry.test/agent:1");
  await image("image-digest", 4, `registry.test/agent@sha256:${"ab".repeat(32)}`, {
    custom_url: "https://image.example.com",
  });
  if (langsmith) {
    const listener = (await request("POST", "/v2/listeners", {
      compute_type: "k8s",
      compute_id: "cluster",
      compute_config: {},
    })) as { id: string };
    const settings = { listener_id: listener.id, listener_config: { k8s_namespace: "agents" } };
    await image("image-listener", 5, "registry.test/agent:2", settings);
  } else await create("bare", 0, { source_config: {}, secrets: [] });

  const failed = ["failed-build", "failed-deploy", "failed-first"];
  for (const name of failed.slice(0, 2)) {
    const id = await create(name, 2);
    admin.steer({
      deployment: name,
      pace: "at once",
      verdict: name.endsWith("build") ? "BUILD_FAILED" : "DEPLOY_FAILED",
    });
    await request("PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref: "broken" } });
  }
  admin.steer({ deployment: "failed-first", pace: "at once", verdict: "CREATE_FAILED" });
  await create("failed-first", 1);

  admin.lingerDeleted(100_000);
  const deleted = await create("deleted", 1);
  await request("DELETE", `/v2/deployments/${deleted}`);
  const mark = { name: "AGENTSERVER_OWNER", value: "3b241101-e2bb-4255-8caf-4136c566a962" };
  await create("owned", 1, { secrets: [mark, ...secretsOf(1, canary, fewSecrets)] });
  const display = await create("displayed", 2);
  await request("PATCH", `/v2/deployments/${display}`, { display_name: "Shown as this" });
  admin.steer({ deployment: "rolling", pace: "step by step" });
  await create("rolling", 3);

  const { resources } = (await request("GET", "/v2/deployments?limit=100")) as {
    resources: { name: string }[];
  };
  const names = resources.map(({ name }) => name);
  const others = { rolling: "rolling", deleted: "deleted", unfit, owned: "owned" };
  const live = names.filter((name) => !["deleted", "owned", unfit].includes(name));
  return { live, failed, ...others };
}

interface Body {
  source_config?: object;
  source_revision_config?: object;
  secrets?: object[];
}

/** Returns zero, one, or many secrets. Several deployments share some of them. */
function secretsOf(index: number, canary: string, few: boolean): { name: string; value: string }[] {
  const one = { name: "MODEL_API_KEY", value: `${canary}"/+&=%${index}` };
  const shared = { name: "SHARED", value: `${canary} shared\nof two lines\n` };
  const more = Array.from({ length: few ? 1 : 10 }, (_, at) => ({
    name: `_key_${at}`,
    value: `${canary}-${at} \${x}`,
  }));
  if (index === 13) return [shared, ...more, one];
  if (index === 2) return [shared, one];
  return index % 4 === 1 ? [one] : [];
}
