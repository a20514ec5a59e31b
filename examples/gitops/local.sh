#!/bin/sh
# Runs the controller against a local control plane: makes the bare repository .local/agents.git from the folder
# `repository`, with an agent beside the manifests, and watches it. It takes the folder that `agentserver emulate`
# keeps its state in, and its address. Nothing outside .local, .gitops and Pulumi.staging.yaml is written.
set -eu
state=${1:?usage: sh local.sh <state folder of agentserver emulate> <its address>}
address=${2:?usage: sh local.sh <state folder of agentserver emulate> <its address>}
credential() { node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8"))[process.argv[2]]' "$state/credentials.json" "$1"; }
apiKey=$(credential apiKey)
tenantId=$(credential tenantId)
cd "$(dirname "$0")"
local=$PWD/.local

if [ ! -d "$local/agents.git" ]; then
  mkdir -p "$local"
  git init --quiet --bare --initial-branch=main "$local/new.git"
  git clone --quiet "$local/new.git" "$local/clone" 2>/dev/null
  cp -R repository/. ../quickstart/agent/. "$local/clone"
  in_clone() { git -C "$local/clone" -c user.name=local -c user.email=local@localhost "$@"; }
  in_clone add --all
  in_clone commit --quiet --message "Two deployments and their agent"
  in_clone tag v1.0.0
  in_clone push --quiet origin HEAD:main v1.0.0
  in_clone remote set-url origin "$local/agents.git"
  mv "$local/new.git" "$local/agents.git"
fi

export PULUMI_BACKEND_URL="file://$local" PULUMI_CONFIG_PASSPHRASE=local
export AGENTSERVER_BASE_URL="$address" AGENTSERVER_API_KEY="$apiKey" AGENTSERVER_TENANT_ID="$tenantId"
export GITOPS_REPOSITORY="$local/agents.git" GITOPS_MANIFEST_ENV=AGENTS_REPOSITORY AGENTS_REPOSITORY="$local/agents.git"

pulumi stack select --create staging
pulumi config set --stack staging --secret greeting Hello
exec node controller.ts
