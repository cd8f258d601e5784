# Sets `base`: the input, what the branch was before the push, or where a pull request began; empty where nothing says it, "none" for no comparison.
base=${BASE:-}
if [[ -z $base && ${EVENT_NAME:-} == push && ${BEFORE:-} =~ [1-9a-f] ]]; then
  base=$BEFORE
  # After a force push, or in a shallow clone, the commit is not there. The next pull request compares with its target.
  if ! git -C "${PROJECT:-.}" cat-file -e "$base^{commit}" 2>/dev/null; then
    echo "::notice::Not compared with $base: this clone does not have it. Give actions/checkout fetch-depth: 0."
    base=none
  fi
fi
