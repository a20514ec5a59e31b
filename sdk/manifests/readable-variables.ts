/** Variables that hold credentials of this provider, of Pulumi, of clouds, registries and CI systems. */
const credentials =
  /^(?:(?:AGENTSERVER|PULUMI|LANGSMITH|LANGCHAIN|AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|DIGITALOCEAN|CLOUDFLARE|VAULT|KUBE|DOCKER|GITHUB|GH|GITLAB|GITEA|BITBUCKET|CIRCLE|BUILDKITE|ACTIONS|SYSTEM|NPM|NODE_AUTH|YARN|PIP|UV|TWINE|CARGO|OPENAI|ANTHROPIC|SSH)_.*|CI_.*(?:TOKEN|PASSWORD|JWT|KEY).*|KUBECONFIG|NETRC|DATABASE_URL)$/i;

/** True if manifests can never read this environment variable, even if the program lists it. */
export function isCredentialVariable(name: string): boolean {
  return credentials.test(name);
}
