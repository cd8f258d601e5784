#!/usr/bin/env bash
# Compares the behaviour and asks the cases, as the inputs say, and puts both reports into the summary of the job and into one comment on the pull
# request, which later runs replace.
set -euo pipefail

agent_stack() { npx --yes "agent-stack${VERSION:+@$VERSION}" "$@"; }
common=(--format markdown --project "${PROJECT:-.}")
[[ -z ${ENVIRONMENT:-} ]] || common+=("--environment=$ENVIRONMENT")
changes=$RUNNER_TEMP/agent-stack-diff.md
answer=$RUNNER_TEMP/agent-stack-answer.md
report=$RUNNER_TEMP/agent-stack-report.md
: >"$changes"
: >"$answer"
status=0

if [[ ${DIFF:-} == true ]]; then
  source "$GITHUB_ACTION_PATH/scripts/action/base.sh"
  # Where the pull request began: its target may be further on.
  if [[ -z $base && ${EVENT_NAME:-} == pull_request* && -n ${GITHUB_BASE_REF:-} ]]; then
    if ! base=$(git -C "${PROJECT:-.}" merge-base HEAD "origin/$GITHUB_BASE_REF"); then
      echo "::error::This clone does not have the commit where the pull request began. Give actions/checkout fetch-depth: 0."
      exit 2
    fi
  fi
  args=(diff "${common[@]}")
  [[ -z $base ]] || args+=("--base=$base")
  fail_on=${FAIL_ON:-}
  set -f
  for what in ${fail_on//,/ }; do args+=("--fail-on=$what"); done
  set +f
  [[ $base == none ]] || agent_stack "${args[@]}" >"$changes" || status=$?
fi

if [[ ${EVAL:-} == true ]]; then
  args=(eval "${common[@]}")
  [[ -z ${AGAINST:-} ]] || args+=("--against=$AGAINST")
  [[ -z ${MAX_COST:-} ]] || args+=("--max-cost=$MAX_COST")
  evaluated=0
  agent_stack "${args[@]}" >"$answer" || evaluated=$?
  ((status == 2 || evaluated == 0)) || status=$evaluated
fi

# Whatever the exit code says: where there is a report, it is shown. Where there is none, nothing was compared or asked, and why is on stderr.
[[ -s $changes || -s $answer ]] || exit "$status"
mark="<!-- agent-stack eval ${PROJECT:-.} -->"
join() {
  printf '%s\n' "$mark"
  for part in "$@"; do
    [[ ! -s $part ]] || { cat "$part" && printf '\n'; }
  done
}
join "$changes" "$answer" >>"$GITHUB_STEP_SUMMARY"
join "$changes" "$answer" >"$report"
# GitHub refuses a comment of more than 65,536 characters.
if (($(wc -m <"$report") > 65000)); then
  { join "$answer" && echo 'What changes is in the summary of the job: there is no room for it here.'; } >"$report"
fi
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
