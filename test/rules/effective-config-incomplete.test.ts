import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { resolveAgent } from '../../core/snapshot/resolveAgent.js';
import { checkRule } from '../support/checkRule.js';
import { runs } from '../support/effort.js';
import { memoryFiles } from '../support/memoryFiles.js';

const check = checkRule('effective-config-incomplete');
const complete = `"agent_name": "A2", "version": "v1", "mode": "Writer", "system_text": "a", "purpose_text": "b", "output_schema": {"type": "object"}`;

test('what is missing is said at the root, with every layer looked at and where it can be given', () =>
  check(`{ "agent_name": "A2", "version": "v1", "mode": "Writer", "system_text": "a", "output_schema": {}, "model_name": "gpt-5.4" }
^ effective-config-incomplete A2@v1 has no purpose_text, which a single_shot agent with a mode needs. Looked in: built-in defaults, system (nothing for this agent), environment dev (nothing for this agent), llm profile (none), persona (none), agent (config/agents/A2/v1.json). Give purpose_text in the agent file
`));

test('a model may come from a profile, a persona or system.json', async () => {
  await check(`{ ${complete} }
^ effective-config-incomplete has no model
`);
  await check(`{ ${complete} }
--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-5.4" }
`);
  await check(`{ ${complete} }
--- config/llms/offline.json
{ "llm_id": "offline", "provider": "offline" }
`);
  await check(`{ ${complete}, "persona_key": "critic" }
--- config/personas/critic.json
{ "model_name": "gpt-5.4" }
`);
  await check(`{ ${complete} }
--- config/system.json
{ "agents": { "A2": { "model_name": "gpt-5.4" } } }
`);
});

test('a null takes away what lies below', () =>
  check(`{ ${complete}, "model_name": "gpt-5.4", "purpose_text": null }
^ effective-config-incomplete no purpose_text
`));

test('other agent types need other fields', async () => {
  await check(`{ "agent_type": "react", "model_name": "gpt-5.4" }`);
  await check(`{ "agent_type": "orchestrating" }
^ effective-config-incomplete no execution_plan
`);
});

test('a price without its other half is marked on the reference to its profile', () =>
  check(`{ ${complete}, "llm_config_id": "openai" }
//                                                                                                                                                      ^^^^^^^^ effective-config-incomplete The price has no output after layering.
--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-5.4", "price": { "input": 1 } }
//                                                      ^^^^^^^^^^^^^^ related The price is here.
`));

test('the quick look never differs from the effective config', async () => {
  const text = fc.option(fc.constantFrom<string | null>('x', '', null), { nil: undefined });
  const fragment = fc.record(
    {
      agent_type: fc.constantFrom('single_shot', 'react', 'orchestrating', null),
      mode: fc.constantFrom('Writer', null),
      system_text: text,
      purpose_text: text,
      user_text: text,
      output_schema: fc.constantFrom({ type: 'object' }, null),
      model_name: text,
      provider: fc.constantFrom('openai', 'offline', null),
      llm_config_id: fc.constantFrom('one', 'two', 'gone', null),
      persona_key: fc.constantFrom('critic', 'gone', null),
      execution_plan: fc.constantFrom({ steps: [] }, null),
      prompts: fc.constantFrom({ system_prompt: 'p@v1' }, { system_prompt: null }, null),
    },
    { requiredKeys: [] },
  );
  const llm = fc.record({ provider: fc.constantFrom('openai', 'offline'), model_name: text }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fragment, fragment, fragment, fragment, llm, async (agent, persona, defaults, named, profile) => {
      const texts = {
        'config/agents/A2/v1.json': JSON.stringify({ agent_name: 'A2', version: 'v1', ...agent }),
        'config/personas/critic.json': JSON.stringify({ ...persona, persona_key: undefined }),
        'config/system.json': JSON.stringify({ agent_defaults: defaults, agents: { A2: named } }),
        'config/llms/one.json': JSON.stringify({ llm_id: 'one', ...profile }),
        'config/llms/two.json': JSON.stringify({ llm_id: 'two', provider: 'offline' }),
      };
      const files = memoryFiles(texts);
      const variables = { get: () => undefined };
      const { findings } = await checkProject({ files, variables, paths: ['config/agents'] });
      const project = await loadProjectIndex(files);
      const path = 'config/agents/A2/v1.json';
      const { problems } = resolveAgent({
        agent_name: 'A2',
        version: 'v1',
        file: { path, value: JSON.parse(texts[path]) },
        project,
        variables,
      });
      const messages = (all: readonly { readonly code: string; readonly message: string }[]) =>
        all
          .filter(({ code }) => code === 'effective-config-incomplete')
          .map(({ message }) => message)
          .sort();
      expect(messages(findings)).toEqual(messages(problems));
    }),
    { numRuns: runs(50, 200) },
  );
});

test('a persona at work needs what its agent type needs, from whatever layer', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "text", "persona_key": "critic" },
    { "name": "schema", "persona_key": "critic", "config": { "output_schema": {} } },
    { "name": "draft", "persona_key": "critic", "config": { "mode": "Writer" } },
//            ^^^^^^^ effective-config-incomplete The task "draft" has no output_schema, which a single_shot agent with a mode needs. Looked in: built-in defaults, config/personas/critic.json, config/orchestrations/flow.json. Give it in the persona or in the config of the task.
    { "name": "full", "persona_key": "critic", "config": { "mode": "Writer", "output_schema": {} } },
    { "name": "loop", "persona_key": "critic", "agent_type": "react" },
    { "name": "plan", "persona_key": "critic", "config": { "agent_type": "orchestrating" } },
//            ^^^^^^ effective-config-incomplete The task "plan" has no execution_plan, which an orchestrating agent needs.
    { "name": "gone", "persona_key": "nobody" },
    { "name": "wrong", "persona_key": "critic", "config": { "mode": 3, "output_schema": {} } }
  ] } }
}
--- config/personas/critic.json
{ "model_name": "m", "system_text": "a", "purpose_text": "b" }
`));

test('of a whole agent only what the task itself takes away is the fault of the task', () =>
  check(`{ "agent_name": "A2", "version": "v1", "mode": "Writer", "system_text": "a", "output_schema": {}, "model_name": "m" }
^ effective-config-incomplete no purpose_text
--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "as_it_is", "agent": "A2@v1" },
    { "name": "warmer", "agent": "A2@v1", "config": { "temperature": 1 } },
    { "name": "plain", "agent": "A2", "config": { "mode": null } },
    { "name": "without", "agent": "A2", "config": { "system_text": null } }
//            ^^^^^^^^^ effective-config-incomplete The task "without" has no system_text, which a single_shot agent needs.
  ] } }
}
`));

test('a task needs a model, unless a reference that leads nowhere would have given it', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "none", "persona_key": "critic", "agent_type": "react" },
//            ^^^^^^ effective-config-incomplete The task "none" has no model_name, which a react agent needs.
    { "name": "gone", "persona_key": "critic", "agent_type": "react", "config": { "llm_config_id": "gone" } },
    { "name": "own", "persona_key": "critic", "agent_type": "react", "config": { "model_name": "m" } }
  ] } }
}
--- config/personas/critic.json
{ "system_text": "a" }
`));

test('an agent without a mode needs no purpose, and user_text may be all it has', async () => {
  await check(`{ "agent_name": "A2", "version": "v1", "user_text": "{{input.text}}", "output_schema": {}, "model_name": "gpt-5.4" }`);
  await check(`{ ${complete}, "purpose_text": null, "user_text": "x", "model_name": "gpt-5.4" }
^ effective-config-incomplete no purpose_text, which a single_shot agent with a mode needs.
`);
  await check(`{ "agent_name": "A2", "version": "v1", "system_text": "You answer.", "model_name": "gpt-5.4" }`);
  await check(`{ "agent_name": "A2", "version": "v1", "mode": "Writer", "system_text": "You answer.", "purpose_text": "b", "model_name": "gpt-5.4" }
^ effective-config-incomplete no output_schema, which a single_shot agent with a mode needs.
`);
  await check(`{ "agent_name": "A2", "version": "v1", "model_name": "gpt-5.4" }
^ effective-config-incomplete no system_text, which a single_shot agent needs.
`);
});

test('an agent without a type that has what only a loop uses may be meant as react', () =>
  check(
    `{ "agent_name": "A2", "version": "v1", "mode": "Writer", "system_text": "a", "output_schema": {}, "model_name": "gpt-5.4", "enabled_tools": ["search_files"] }
^ effective-config-incomplete no purpose_text, which a single_shot agent with a mode needs. ~~ With enabled_tools, "agent_type": "react" may be meant, which needs none.
`.replace(
      '~~',
      'Looked in: built-in defaults, system (nothing for this agent), environment dev (nothing for this agent), llm profile (none), persona (none), agent (config/agents/A2/v1.json). Give purpose_text in the agent file, in a persona named by persona_key, or under agent_defaults in config/system.json.',
    ),
  ));

test('tools without a type are not silently left alone', async () => {
  const text = '"system_text": "You answer.", "model_name": "gpt-5.4"';
  await check(`{ "agent_name": "A2", "version": "v1", ${text}, "enabled_tools": ["search_files"] }
^ effective-config-incomplete A2@v1 has no agent_type but enabled_tools, which a single model call does not use. Add "agent_type": "react"
`);
  await check(`{ "agent_name": "A2", "version": "v1", ${text}, "output_schema": {}, "max_iterations": 5 }
^ effective-config-incomplete A2@v1 has no agent_type but max_iterations
`);
  await check(`{ "agent_name": "A2", "version": "v1", ${text}, "include_history": true, "client_ids": [] }`);
  await check(`{ "agent_name": "A2", "version": "v1", ${text}, "agent_type": "single_shot", "max_iterations": 5 }`);
  await check(`{ "agent_name": "A2", "version": "v1", ${text} }
--- config/system.json
{ "agent_defaults": { "max_iterations": 5 } }
`);
  await check(`--- config/orchestrations/o.json
{ "name": "o", "entry_team": "t", "teams": { "t": { "name": "T", "routing": { "default": null }, "tasks": [
  { "name": "ask", "persona_key": "p" },
//          ^^^^^ effective-config-incomplete The task "ask" has no agent_type but max_iterations
  { "name": "loop", "persona_key": "p", "agent_type": "react" }
] } } }
--- config/personas/p.json
{ ${text}, "max_iterations": 5 }
`);
});

test('what stands there under another name is not missing too', async () => {
  const all = checkRule();
  await all(`{ "name": "A2", "version": "v1", "instructions": "You answer.", "model": "gpt-5.4" }
//^^^^^^ foreign-name
//                               ^^^^^^^^^^^^^^ foreign-name
//                                                              ^^^^^^^ foreign-name`);
  await all(`{ "agent_name": "A2", "version": "v1", "persona_key": "designer" }
--- config/personas/designer.json
{ "prompts": { "system": "You design." }, "llm": { "model": "gpt-5.4" } }
//             ^^^^^^^^ foreign-name
//                                        ^^^^^ foreign-name
`);
});

test('a provider without an address of its own needs base_url, in the profile that names it', () =>
  check(`--- config/agents/A/v1.json
{ "agent_name": "A", "version": "v1", "agent_type": "react", "llm_config_id": "local" }
--- config/agents/B/v1.json
{ "agent_name": "B", "version": "v1", "agent_type": "react", "provider": "openai_compatible", "model_name": "m", "llm_config_id": null }
//                                                                       ^^^^^^^^^^^^^^^^^^^ effective-config-incomplete The provider openai_compatible has no address of its own. Give base_url in an llm profile
--- config/llms/local.json
{ "llm_id": "local", "provider": "openai_compatible", "model_name": "m" }
//                               ^^^^^^^^^^^^^^^^^^^ effective-config-incomplete such as "http://127.0.0.1:11434/v1".
--- config/llms/there.json
{ "llm_id": "there", "provider": "openai_compatible", "model_name": "m", "base_url": "http://127.0.0.1/v1" }
--- config/llms/azure.json
{ "llm_id": "azure", "provider": "azure_openai", "model_name": "m" }
--- config/system.json
{ "llms": { "azure": { "base_url": "https://x.openai.azure.com" } } }`));

test('the offline provider needs no model, with or without a profile', () =>
  check(`--- config/agents/A/v1.json
{ "agent_name": "A", "version": "v1", "agent_type": "react", "provider": "offline" }`));
