#!/usr/bin/env bash
# The step of action.yml. Inputs come as variables, so that no text of theirs is run.
set -euo pipefail

base=${BASE:-}
if [[ -z $base && ${EVENT_NAME:-} == pull_request* && -n ${GITHUB_BASE_REF:-} ]]; then
  base="origin/$GITHUB_BASE_REF"
elif [[ -z $base && ${EVENT_NAME:-} == push && ${BEFORE:-} =~ [1-9a-f] ]]; then
  base=$BEFORE
  # After a force push, or in a shallow clone, the commit is not there. The next pull request compares with its target.
  if ! git -C "${PROJECT:-.}" cat-file -e "$base^{commit}" 2>/dev/null; then
    echo "::notice::Not compared with $base: this clone does not have it. Give actions/checkout fetch-depth: 0."
    base=none
  fi
fi

args=(check --format github --project "${PROJECT:-.}")
[[ -z $base || $base == none ]] || args+=("--base=$base")
[[ -z ${MAX_WARNINGS:-} ]] || args+=("--max-warnings=$MAX_WARNINGS")
[[ -z ${ENVIRONMENT:-} ]] || args+=("--environment=$ENVIRONMENT")
npx --yes "agent-stack${VERSION:+@$VERSION}" "${args[@]}"
