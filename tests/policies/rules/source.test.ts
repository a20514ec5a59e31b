import { allowedRegistries } from "../../../policies/rules/allowed-registries";
import { allowedRepositories } from "../../../policies/rules/allowed-repositories";
import { deploymentTypes } from "../../../policies/rules/deployment-types";
import { noBuildOnPush } from "../../../policies/rules/no-build-on-push";
import { sourcePinned } from "../../../policies/rules/source-pinned";
import { compliant, remedied, said, unknown } from "../judging";

const digest = `@sha256:${"0a".repeat(32)}`;
const withRef = (repoRef?: string) => ({ ...compliant, sourceRevisionConfig: { repoRef } });
const withImage = (imageUri: string, sourceConfig: object = {}) => ({
  ...compliant,
  source: "external_docker",
  sourceConfig,
  sourceRevisionConfig: { imageUri },
});
const withSource = (change: object) => ({
  ...compliant,
  sourceConfig: { ...compliant.sourceConfig, ...change },
});

describe("source-pinned", () => {
  test.each(["v1.4.0", "1.4.0", "refs/tags/release/may", "0a".repeat(20), "0a".repeat(32)])(
    "accepts %s",
    (ref) => {
      expect(said(sourcePinned, withRef(ref))).toEqual([]);
    },
  );

  test.each(["main", "refs/heads/v1.4.0", "feature/v1", "0a1b2c3"])("rejects %s", (ref) => {
    expect(said(sourcePinned, withRef(ref))).toEqual([
      'Deployment "agent": sourceRevisionConfig.repoRef is neither a tag nor a full commit hash. ' +
        'Specify a tag, such as "refs/tags/v1.4.0", or a full commit hash.',
    ]);
  });

  test("rejects a repository without a reference, and does not require one for an image", () => {
    expect(said(sourcePinned, withRef())).toEqual([expect.stringContaining("repoRef is missing")]);
    expect(said(sourcePinned, withImage(`ghcr.io/acme/agent${digest}`))).toEqual([]);
  });

  test("accepts the configured tags", () => {
    const settings = { tags: ["release-*"] };
    expect(said(sourcePinned, withRef("release-7"), { settings })).toEqual([]);
    expect(said(sourcePinned, withRef("v1"), { settings })).toHaveLength(1);
  });

  test("requires digests for all images, in either spelling of the containers", () => {
    const containers = [{ image: `nginx${digest}` }, { image: "nginx:1.29" }];
    const inputs = withImage("ghcr.io/acme/agent:latest", {
      resourceSpec: { sidecars: containers, init_containers: containers },
    });
    expect(said(sourcePinned, inputs)).toEqual([
      expect.stringContaining("sourceRevisionConfig.imageUri has no digest"),
      expect.stringContaining("sourceConfig.resourceSpec.sidecars[1].image has no digest"),
      expect.stringContaining("sourceConfig.resourceSpec.init_containers[1].image has no digest"),
    ]);
  });

  test("reports fields that cannot be evaluated yet, and checks all others", () => {
    expect(
      said(sourcePinned, { ...compliant, sourceRevisionConfig: { repoRef: unknown, imageUri: "a:b" } }),
    ).toEqual([
      expect.stringContaining("imageUri has no digest"),
      'advisory: Deployment "agent": cannot be evaluated yet: sourceRevisionConfig.repoRef will only be known during the update.',
    ]);
    const resourceSpec = { sidecars: unknown, initContainers: [{ image: "nginx" }] };
    expect(said(sourcePinned, withImage(`a${digest}`, { resourceSpec }))).toEqual([
      expect.stringContaining("initContainers[0].image has no digest"),
      expect.stringContaining("cannot be evaluated yet: sourceConfig.resourceSpec.sidecars "),
    ]);
  });

  test("applies only to production by default", () => {
    expect(said(sourcePinned, withRef("main"), { stack: "dev" })).toEqual([
      "not applicable: The name of the stack matches none of: prod*, *-prod, production.",
    ]);
    expect(said(sourcePinned, withRef("main"), { stack: "eu-prod" })).toHaveLength(1);
    expect(said(sourcePinned, withRef("main"), { stack: "dev", settings: { stacks: ["d*"] } })).toHaveLength(
      1,
    );
  });
});

describe("no-build-on-push", () => {
  test("rejects the value true, and an omitted value if the source is a repository", () => {
    expect(said(noBuildOnPush, withSource({ buildOnPush: true }))).toEqual([
      'Deployment "agent": sourceConfig.buildOnPush is on. Set it to false.',
    ]);
    expect(said(noBuildOnPush, withSource({ buildOnPush: undefined }))).toEqual([
      expect.stringContaining("is not set, so the control plane chooses the value"),
    ]);
    expect(said(noBuildOnPush, compliant)).toEqual([]);
    expect(said(noBuildOnPush, withImage("a"))).toEqual([]);
  });

  test("remediates by disabling builds on push, and does not change deployments of images", () => {
    expect(remedied(noBuildOnPush, withSource({ buildOnPush: true }))).toEqual(compliant);
    expect(remedied(noBuildOnPush, compliant)).toBeUndefined();
    expect(remedied(noBuildOnPush, withImage("a"))).toBeUndefined();
    expect(remedied(noBuildOnPush, { ...compliant, sourceConfig: unknown })).toBeUndefined();
  });
});

describe("allowed-repositories", () => {
  const settings = { allow: ["github.com/acme/*"] };
  const judge = (repoUrl: string) => said(allowedRepositories, withSource({ repoUrl }), { settings });

  test.each([
    "https://github.com/acme/agents",
    "https://github.com/acme/agents.git/",
    "https://GitHub.com/acme/agents",
    "git@github.com:acme/agents.git",
    "ssh://git@github.com/acme/agents.git",
    "ssh://git@GitHub.com/acme/agents",
    "github.com:acme/agents",
    "github.com:/acme/agents.git",
  ])("accepts %s", (url) => expect(judge(url)).toEqual([]));

  test.each([
    "https://github.com/other/agents",
    "https://github.com/acme/../other/agents",
    "https://github.com/acme/%2e%2e/other",
    "https://github.com/acme/..%2fother",
    "file://github.com/acme/agents",
    "javascript://github.com/acme/agents",
    "https://github.com@evil.example.com/acme/agents",
    "https://evil.example.com/github.com/acme/agents",
    "git@evil.example.com:github.com/acme/agents",
    "https://github.com\\acme\\agents@evil.example.com",
    "evil.example.com:github.com/acme/agents",
    "x:github.com/acme/agents",
    "https:github.com/acme/agents",
    "https:/github.com/acme/agents",
    "https:///github.com/acme/agents",
    "file:github.com/acme/agents",
    "ext::sh -c x github.com/acme/agents",
    "https::https://github.com/acme/agents",
    "github.com:x@evil.example.com:acme/agents",
    "git@[github.com:22]:acme/agents",
    "git@[::1]:acme/agents",
    "ssh://github.com?@evil.example.com/acme/agents",
    "https://github.com#@evil.example.com/acme/agents",
    "//github.com/acme/agents",
    "github.com/acme/agents",
    "https://git\thub.com/acme/agents",
    "https://[",
    "git@[:acme/agents",
    "/home/acme/agents",
    "",
  ])("rejects %s", (url) =>
    expect(judge(url)).toEqual([
      'Deployment "agent": sourceConfig.repoUrl is not an allowed repository. ' +
        "Use one of github.com/acme/*, or add this repository to the policy's list.",
    ]),
  );

  test("accepts all repositories if none are listed, and ignores sources without a repository", () => {
    expect(said(allowedRepositories, withSource({ repoUrl: "https://x.example.com/y" }))).toEqual([]);
    expect(said(allowedRepositories, withImage("a"), { settings })).toEqual([]);
  });
});

describe("allowed-registries", () => {
  const settings = { allow: ["ghcr.io/acme/**", "docker.io/library/nginx"] };
  const judge = (image: string) => said(allowedRegistries, withImage(image), { settings });

  test.each(["ghcr.io/acme/agent:1", `ghcr.io/acme/team/agent${digest}`, "nginx:1.29", "library/nginx"])(
    "accepts %s",
    (image) => expect(judge(image)).toEqual([]),
  );

  test.each([
    "acme/agent",
    "evil.example.com/ghcr.io/acme/agent",
    "ghcr.io:5000/acme/agent",
    "localhost/nginx",
  ])("rejects %s", (image) =>
    expect(judge(image)).toEqual([expect.stringContaining("is not from an allowed registry")]),
  );

  test.each([
    [{ initContainers: [{ image: "acme/x" }] }, "initContainers[0].image"],
    [{ init_containers: [{ image: "acme/x" }] }, "init_containers[0].image"],
    [{ volumes: [{ name: "a", image: { reference: "acme/x" } }] }, "volumes[0].image.reference"],
    [{ sidecars: { proxy: { image: "acme/x" } } }, "sidecars.proxy.image"],
    [{ extraContainers: [{ image: "acme/x" }] }, "extraContainers[0].image"],
  ])("checks every image in the resource specification: %j", (resourceSpec, field) => {
    const inputs = withSource({ resourceSpec });
    expect(said(allowedRegistries, inputs, { settings })).toEqual([
      expect.stringContaining(`${field} is not`),
    ]);
  });

  test("does not evaluate unknown images", () => {
    const fields = (resourceSpec: unknown) =>
      said(allowedRegistries, withSource({ resourceSpec }), { settings }).map(
        (message) => /cannot be evaluated yet: (.+) will only be known/.exec(message)?.[1],
      );
    expect(
      fields({ volumes: [{ name: unknown, image: { reference: unknown } }], sidecars: unknown }),
    ).toEqual(["sourceConfig.resourceSpec.volumes[0].image.reference, sourceConfig.resourceSpec.sidecars"]);
    expect(fields(unknown)).toEqual(["sourceConfig.resourceSpec"]);
  });

  test("checks sidecars", () => {
    const inputs = withSource({ resourceSpec: { sidecars: [{ image: "acme/proxy" }] } });
    expect(said(allowedRegistries, inputs, { settings })).toEqual([
      expect.stringContaining("sidecars[0].image"),
    ]);
    expect(said(allowedRegistries, inputs)).toEqual([]);
  });
});

describe("deployment-types", () => {
  test("rejects other types in production, and lists the allowed ones", () => {
    const development = withSource({ deploymentType: "dev" });
    expect(said(deploymentTypes, development)).toEqual([
      'Deployment "agent": sourceConfig.deploymentType is not allowed in this stack. Use one of prod, dedicated.',
    ]);
    expect(said(deploymentTypes, withSource({ deploymentType: undefined }))).toEqual([
      expect.stringContaining("is not set, so the control plane chooses the value"),
    ]);
    expect(said(deploymentTypes, compliant)).toEqual([]);
    expect(said(deploymentTypes, withImage("a"))).toEqual([]);
    expect(said(deploymentTypes, development, { stack: "dev" })).toEqual([]);
  });

  test("applies the first rule that matches the stack", () => {
    const settings = {
      rules: [
        { stacks: ["dev-*"], allow: ["dev"] },
        { stacks: ["**"], allow: ["prod"] },
      ],
    };
    expect(said(deploymentTypes, compliant, { stack: "dev-a", settings })).toHaveLength(1);
    expect(said(deploymentTypes, compliant, { stack: "test", settings })).toEqual([]);
  });
});
