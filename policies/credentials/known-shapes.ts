/** Formats of well-known credentials, and their names. */
const shapes: readonly [kind: string, shape: RegExp][] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ["a GitHub token", /\b(gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/],
  ["a GitLab token", /\bgl(pat|dt|rt)-[\w-]{20,}/],
  ["an AWS access key", /\b(AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a Google API key", /\bAIza[\w-]{35}/],
  ["a Slack token", /\bxox[abeoprs]-[\w-]{10,}|\bhooks\.slack\.com\/services\/\w+/],
  ["a LangSmith key", /\blsv2_(pt|sk)_[0-9a-f]{32}/],
  ["an Anthropic key", /\bsk-ant-[\w-]{20,}/],
  ["a key of a model provider", /\bsk-(proj-|svcacct-|or-)?[A-Za-z0-9_-]{20,}/],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{30,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a Pulumi token", /\bpul-[0-9a-f]{40}\b/],
  ["a Stripe key", /\b[rs]k_(live|test)_[A-Za-z0-9]{16,}/],
  ["a JSON web token", /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["a URL with a password or token", /\bhttps?:\/\/[^\s/@]+@|\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i],
];

/** Returns the kind of credential that a string resembles, or `undefined`. */
export function knownCredential(text: string): string | undefined {
  return shapes.find(([, shape]) => shape.test(text))?.[0];
}
