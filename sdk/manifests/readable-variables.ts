/**
 * Environment variables of this provider, of Pulumi, and of tools for clouds, registries, and CI. Most of them contain
 * credentials.
 */
const reserved =
  /^(?:(?:AGENTSERVER|PULUMI|LANGSMITH|LANGCHAIN|AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|CLOUDSDK|DIGITALOCEAN|CLOUDFLARE|VAULT|KUBE|DOCKER|GITHUB|GH|GITLAB|GITEA|BITBUCKET|CIRCLE|BUILDKITE|ACTIONS|SYSTEM|NPM|NODE_AUTH|YARN|PIP|UV|TWINE|CARGO|OPENAI|ANTHROPIC|SSH|TF)_.*|KUBECONFIG|_?NETRC|(?:\w+_)?(?:DATABASE|POSTGRES|POSTGRESQL|MYSQL|REDIS|AMQP|RABBITMQ)_URL|CI_REPOSITORY_URL|(?:HTTPS?|ALL)_PROXY|MONGO(?:DB)?_UR[IL]|SENTRY_DSN)$/i;

/** Patterns for the names of credentials of any vendor: `HF_TOKEN`, `STRIPE_API_KEY`, `PGPASSWORD`, `CI_JOB_JWT_V2`. */
const named =
  /(?:^|_)(?:PASS|PWD|PAT|AUTH)\d*$|(?:^|_)(?:KEYS?|JWT|DSN|CREDS?|COOKIE|BEARER)(?:_|\d*$)|TOKEN(?:_|\d*$)|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|(?:API|ACCESS|AUTH)_TOKENS/i;

/** True if manifests can never read this environment variable, even if the program allows it. */
export function isCredentialVariable(name: string): boolean {
  return reserved.test(name) || named.test(name);
}
