#!/bin/sh
# Reviews the effect of a change on the deployments of a stack. Writes review.json, review.md, and review.sarif.
#
#   REVIEW_STACK         the stack (required)
#   REVIEW_PROJECT       folder of the Pulumi project (default: current directory)
#   REVIEW_POLICY_PACK   folder of a policy pack
#   REVIEW_POLICY_CONFIG configuration file of the policy pack
#   REVIEW_FAIL_ON       gates (default: replace,delete,policy)
#   REVIEW_MAX_ROLLOUTS  maximum number of rollouts (default: unlimited)
#   REVIEW_LABELS        comma-separated labels of the request; "approve-replace:NAME" approves a replacement
#   AGENTSERVER          the command (default: "npx --no-install agentserver")
#
# The exit codes are the same as those of `agentserver review`.
set -eu

agentserver=${AGENTSERVER:-npx --no-install agentserver}

set -- --stack "${REVIEW_STACK:?set it to the name of the stack}" --cwd "${REVIEW_PROJECT:-.}" --refresh \
  --fail-on "${REVIEW_FAIL_ON-replace,delete,policy}"
[ -z "${REVIEW_POLICY_PACK:-}" ] || set -- "$@" --policy-pack "$REVIEW_POLICY_PACK"
[ -z "${REVIEW_POLICY_CONFIG:-}" ] || set -- "$@" --policy-pack-config "$REVIEW_POLICY_CONFIG"
[ -z "${REVIEW_MAX_ROLLOUTS:-}" ] || set -- "$@" --max-rollouts "$REVIEW_MAX_ROLLOUTS"

labels=${REVIEW_LABELS:-}
while [ -n "$labels" ]; do
  label=${labels%%,*}
  case $labels in *,*) labels=${labels#*,} ;; *) labels= ;; esac
  case $label in approve-replace:*) set -- "$@" "--approve-replace=${label#approve-replace:}" ;; esac
done

rm -f review.json review.md review.sarif
code=0
# The preview runs once, and its report is converted to the other formats. $agentserver contains a command and its first
# arguments.
$agentserver review "$@" --format json --output review.json || code=$?
[ -f review.json ] || exit "$code"
for format in "markdown --output review.md" "sarif --output review.sarif" terminal; do
  $agentserver review review.json --format $format || [ $? -eq "$code" ]
done
exit "$code"
