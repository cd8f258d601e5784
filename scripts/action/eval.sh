#!/usr/bin/env bash
# Asks the cases, and puts the report into the summary of the job and into one comment on the pull request, which later runs replace.
set -euo pipefail

args=(eval --format markdown --project "${PROJECT:-.}")
[[ -z ${AGAINST:-} ]] || args+=("--against=$AGAINST")
[[ -z ${MAX_COST:-} ]] || args+=("--max-cost=$MAX_COST")
[[ -z ${ENVIRONMENT:-} ]] || args+=("--environment=$ENVIRONMENT")
answer=$RUNNER_TEMP/agent-stack-answer.md
report=$RUNNER_TEMP/agent-stack-eval.md
status=0
npx --yes "agent-stack${VERSION:+@$VERSION}" "${args[@]}" >"$answer" || status=$?
# Whatever the exit code says of the cases: where there is a report, it is shown. Where there is none, nothing was asked, and why is on stderr.
[[ -s $answer ]] || exit "$status"
mark="<!-- agent-stack eval ${PROJECT:-.} -->"
printf '%s\n' "$mark" | cat - "$answer" >"$report"
cat "$report" >>"$GITHUB_STEP_SUMMARY"
if [[ -n ${PULL_REQUEST:-} ]]; then
  export mark
  # Only a comment of ours: anyone may write one that begins with the mark.
  own=$(gh api graphql --paginate --raw-field "owner=${GITHUB_REPOSITORY%%/*}" --raw-field "name=${GITHUB_REPOSITORY#*/}" \
    --field "number=$PULL_REQUEST" --raw-field query='
      query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
        repository(owner: $owner, name: $name) {
          pullRequest(number: $number) {
            comments(first: 100, after: $endCursor) { pageInfo { hasNextPage endCursor } nodes { databaseId body viewerDidAuthor } }
          }
        }
      }' \
    --jq '.data.repository.pullRequest.comments.nodes[] | select(.viewerDidAuthor and (.body | startswith(env.mark))) | .databaseId' | head -n 1)
  if [[ -n $own ]]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$own" --field "body=@$report"
  else
    gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" --field "body=@$report"
  fi
fi
exit "$status"
