#!/usr/bin/env bash
# The step of action.yml. Inputs come as variables, so that no text of theirs is run.
set -euo pipefail

source "$GITHUB_ACTION_PATH/scripts/action/base.sh"
if [[ -z $base && ${EVENT_NAME:-} == pull_request* && -n ${GITHUB_BASE_REF:-} ]]; then base="origin/$GITHUB_BASE_REF"; fi

args=(check --format github --project "${PROJECT:-.}")
[[ -z $base || $base == none ]] || args+=("--base=$base")
[[ -z ${MAX_WARNINGS:-} ]] || args+=("--max-warnings=$MAX_WARNINGS")
[[ -z ${ENVIRONMENT:-} ]] || args+=("--environment=$ENVIRONMENT")
npx --yes "agent-stack${VERSION:+@$VERSION}" "${args[@]}"
