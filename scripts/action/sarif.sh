#!/usr/bin/env bash
# Writes the findings for code scanning. That there are some is no failure of this step.
set -euo pipefail

args=(check --format sarif --project "${PROJECT:-.}")
[[ -z ${ENVIRONMENT:-} ]] || args+=("--environment=$ENVIRONMENT")
status=0
npx --yes "agent-stack${VERSION:+@$VERSION}" "${args[@]}" >"$RUNNER_TEMP/agent-stack.sarif" || status=$?
((status <= 1)) || exit "$status"
