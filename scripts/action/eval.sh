#!/usr/bin/env bash
# Asks the cases, and puts the report into the summary of the job and into one comment on the pull request, which later runs replace.
set -euo pipefail

args=(eval --format markdown --project "${PROJECT:-.}")
[[ -z ${AGAINST:-} ]] || args+=("--against=$AGAINST")
[[ -z ${MAX_COST:-} ]] || args+=("--max-cost=$MAX_COST")
[[ -z ${ENVIRONMENT:-} ]] || args+=("--environment=$ENVIRONMENT")
report=$RUNNER_TEMP/agent-stack-eval.md
mark="<!-- agent-stack eval ${PROJECT:-.} -->"
status=0
printf '%s\n' "$mark" >"$report"
npx --yes "agent-stack${VERSION:+@$VERSION}" "${args[@]}" >>"$report" || status=$?
# Nothing was asked: why is on stderr.
((status <= 1)) || exit "$status"
cat "$report" >>"$GITHUB_STEP_SUMMARY"
if [[ -n ${PULL_REQUEST:-} ]]; then
  comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
  export mark
  own=$(gh api --paginate "$comments" --jq '.[] | select(.body | startswith(env.mark)) | .id' | head -n 1)
  if [[ -n $own ]]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$own" --field "body=@$report"
  else
    gh api --silent --method POST "$comments" --field "body=@$report"
  fi
fi
exit "$status"
