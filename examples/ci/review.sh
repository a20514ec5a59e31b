#!/bin/sh
# Reviews what a change means for the deployments of a stack. Leaves review.json, review.md and review.sarif here.
#
#   REVIEW_STACK         the stack (required)
#   REVIEW_PROJECT       folder of the Pulumi project; by default this one
#   REVIEW_POLICY_PACK   folder of a policy pack
#   REVIEW_POLICY_CONFIG file with its configuration
#   REVIEW_FAIL_ON       by default replace,delete,policy
#   REVIEW_MAX_ROLLOUTS  most deployments that may roll out; by default any number
#   REVIEW_LABELS        labels of the request, with commas between: "approve-replace:NAME" approves a replacement
#   AGENTSERVER          the command; by default "npx --no-install agentserver"
#
# Exit codes: those of `agentserver review`.
set -eu

agentserver=${AGENTSERVER:-npx --no-install agentserver}

set -- --stack "${REVIEW_STACK:?name the stack in REVIEW_STACK}" --cwd "${REVIEW_PROJECT:-.}" --refresh \
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
# The preview runs once; the other formats are made from its report. $agentserver is a command and its first words.
$agentserver review "$@" --format json --output review.json || code=$?
[ -f review.json ] || exit "$code"
for format in "markdown --output review.md" "sarif --output review.sarif" terminal; do
  $agentserver review review.json --format $format || [ $? -eq "$code" ]
done
exit "$code"
