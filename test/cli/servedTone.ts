import { onTestFinished } from 'vitest';
import type { EvalReport } from '../../core/generated/types.js';
import { type LoopbackScript, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { checkKeptReports, readEvalReport } from '../support/readEvalReport.js';
import { agentstack, offlineProfile, temporaryProject, toneAgent } from './command.js';

const key = 'sk-test-0123456789abcdef';
export const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };

export const usage = { prompt_tokens: 100, completion_tokens: 10 };
export const formal = { text: '{"tone": "formal"}', usage };
export const friendly = { text: '{"tone": "friendly"}', usage };

type Files = Readonly<Record<string, unknown>>;

/**
 * A project whose agent Tone asks a server on this machine, with the profile `real`. Every report that a test leaves in it is held to the schema.
 *
 * @param filesOf further files, from what all profiles of the server share
 */
export async function servedTone(script: LoopbackScript, filesOf: (profile: object) => Files) {
  const server = await startLoopbackOpenAi(script, { key });
  onTestFinished(() => server.close());
  const profile = { provider: 'openai', base_url: server.url, api_key: 'secret://openai_api_key', retry_attempts: 1 };
  const cwd = temporaryProject({
    'config/agents/Tone/v1.json': { ...toneAgent, llm_config_id: 'real' },
    'config/llms/real.json': { ...profile, llm_id: 'real', model_name: 'gpt-4.1-mini' },
    'config/llms/offline.json': offlineProfile,
    ...filesOf(profile),
  });
  checkKeptReports(cwd);
  return { cwd, server, run: (...args: string[]) => agentstack(args, { cwd, env }) };
}

export async function reportOf(outcome: Promise<{ stdout: string }>): Promise<EvalReport> {
  return readEvalReport((await outcome).stdout);
}
