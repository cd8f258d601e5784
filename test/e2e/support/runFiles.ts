/** The files of a kept run. @param at how many minutes ago it began */
export function runFiles(at: number, run: object, result: object): Record<string, string> {
  const began = Date.now() - at * 60_000;
  const run_id = `${began.toString(16).padStart(12, '0')}7${String(at).repeat(19).slice(0, 19)}`;
  const folder = `.agentstack/runs/${run_id}`;
  const begun = { run_id, kind: 'agent', version: 'v1', environment: 'dev', snapshot_hash: '', ...run };
  return { [`${folder}/run.json`]: JSON.stringify(begun), [`${folder}/result.json`]: JSON.stringify({ run_id, ...result }) };
}

export const usage = (prompt_tokens: number, completion_tokens: number) => ({
  token_usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cached_tokens: 0 },
});
