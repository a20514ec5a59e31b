import { pulumiCommand } from "../../../provider/resource/commands";

test.each([
  [
    "urn:pulumi:prod::shop::my:Component$pulumi-nodejs:dynamic/agentserver:Deployment::agent",
    "`pulumi state delete 'urn:pulumi:prod::shop::my:Component$pulumi-nodejs:dynamic/agentserver:Deployment::agent' --stack prod`",
  ],
  [
    "urn:pulumi:prod::shop::t::it's",
    "`pulumi state delete 'urn:pulumi:prod::shop::t::it'\\''s' --stack prod`",
  ],
  ["", "`pulumi state delete`"],
])("prints a command for %j that can be pasted into a shell", (urn, command) => {
  expect(pulumiCommand("state delete", urn)).toBe(command);
});
