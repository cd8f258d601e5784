// A project whose every agent is made of all layers, and one orchestration of many teams.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const kinds = 10;
const text = (role, sentences) => `You are the ${role}. ${'Read the input closely, and keep to what it says. '.repeat(sentences)}`;

const output_schema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['pass', 'minor', 'major', 'reject'], description: 'What becomes of the draft' },
    score: { type: 'integer', minimum: 0, maximum: 10, description: 'How good it is' },
    labels: { type: 'array', items: { type: 'string', enum: ['style', 'facts', 'legal', 'tone'] }, description: 'What is wrong with it' },
    summary: { type: 'string', description: 'One sentence' },
    evidence: {
      type: 'array',
      items: {
        type: 'object',
        properties: { quote: { type: 'string' }, reason: { type: 'string' }, severity: { type: 'number' } },
        required: ['quote', 'reason', 'severity'],
        additionalProperties: false,
      },
    },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['verdict', 'score', 'labels', 'summary', 'evidence', 'confidence'],
  additionalProperties: false,
};

const agentFile = (number) => ({
  agent_name: `Reviewer${number}`,
  version: 'v1',
  mode: 'Chooser',
  persona_key: `persona${number}`,
  llm_config_id: `llm${number}`,
  system_text: text(`reviewer of kind ${number}`, 12),
  purpose_text: 'Judge the draft by the rules of the house, and say why.',
  input_keys: ['draft', 'round'],
  output_schema,
  enums: { verdict: ['pass', 'minor', 'major', 'reject'], labels: ['style', 'facts', 'legal', 'tone'] },
  defaults: { labels: [], confidence: 0.5 },
  temperature: 0.1,
});

/** @param last whether it is the last team, after which the run ends */
function teamOf(number, last) {
  const kind = number % kinds;
  return {
    name: `Team ${number}`,
    tasks: [
      {
        name: 'draft',
        agent_type: 'single_shot',
        persona_key: `persona${kind}`,
        input: { topic: '{{context.topic}}', round: '{{context.round}}' },
        config: { temperature: (number % 20) / 10, max_output_tokens: 500 + number },
      },
      { name: 'review', agent: `Reviewer${kind}@v1`, input: { draft: '{{tasks.draft.output}}', round: '{{context.round}}' } },
    ],
    routing: {
      rules: [
        { condition: { task: 'draft', status: 'failure' }, next_team: null },
        {
          condition: [
            { task: 'review', output_field: 'verdict', operator: 'in', value: ['pass', 'minor'] },
            { task: 'review', output_field: 'score', operator: 'greater_than', value: 6 },
          ],
          next_team: last ? null : `team${number + 1}`,
          context_updates: { round: number + 1, summary: '{{tasks.review.output.summary}}' },
        },
      ],
      default: null,
    },
  };
}

function filesOf(teamCount) {
  const every = (count, entry) => Object.fromEntries(Array.from({ length: count }, (_, number) => entry(number)));
  return {
    'agentstack.json': { environment: 'dev' },
    'config/system.json': {
      agent_defaults: { timeout_ms: 20_000, retry_attempts: 2 },
      persona_defaults: { max_output_tokens: 800 },
      orchestration: { max_total_teams: teamCount },
    },
    'config/environments/dev.json': {
      agent_defaults: { budget: { max_cost: 1, max_time_ms: 60_000 } },
      agents: every(kinds, (number) => [`Reviewer${number}`, { timeout_ms: 15_000 + number }]),
    },
    ...every(kinds, (number) => [
      `config/llms/llm${number}.json`,
      {
        llm_id: `llm${number}`,
        provider: 'openai',
        model_name: 'gpt-4.1-mini',
        temperature: 0.3,
        max_output_tokens: 2000,
        request_timeout_ms: 30_000,
        api_key: 'secret://openai-key',
      },
    ]),
    ...every(kinds, (number) => [
      `config/personas/persona${number}.json`,
      {
        mode: 'Writer',
        llm_config_id: `llm${number}`,
        system_text: text(`writer of kind ${number}`, 8),
        purpose_text: 'Write a draft that the house can print.',
        output_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
        temperature: 0.7,
        retry_attempts: 4,
      },
    ]),
    ...every(kinds, (number) => [`config/agents/Reviewer${number}/v1.json`, agentFile(number)]),
    'config/orchestrations/house.json': {
      name: 'house',
      entry_team: 'team0',
      max_total_teams: teamCount,
      context: { topic: 'tides', round: 0 },
      teams: every(teamCount, (number) => [`team${number}`, teamOf(number, number === teamCount - 1)]),
    },
  };
}

/** Writes the project into a temporary folder that goes with the process. Returns the folder. */
export function snapshotProject(teamCount) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [path, value] of Object.entries(filesOf(teamCount))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value, null, 2));
  }
  return folder;
}
