import { builtInProviderNames } from '../../core/builtInProviders.js';
import { pathOf } from '../../core/config/paths.js';
import { howToAddProviders, knownProviders } from '../../core/config/providers.js';
import { findDisplacedProfile, llmTemplate, newLlmFile } from '../../core/scaffold/newLlmFile.js';
import { secretVariable } from '../../core/secrets/secretVariable.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { createFiles, openProjectToFill, type ProjectToFill, requireFreeName } from '../newFiles.js';

interface NewLlmOptions extends GlobalOptions {
  readonly provider: string;
  readonly model?: string;
}

export const newLlm: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'name of the llm profile: letters, digits, ".", "_", "-"')
    .requiredOption('--provider <provider>', `${builtInProviderNames.join(', ')}, or one of your own`)
    .option('--model <model>', 'name of the model (default: a current one of the provider)')
    .addHelpText('after', () =>
      example(cli, ['new llm openai --provider openai', 'new llm local --provider openai_compatible --model qwen3']),
    )
    .addHelpText('after', '\nThe file names the place of the key and never contains it.')
    .action(async (name: string) => {
      const options = readOptions<NewLlmOptions>(cli, command);
      await create(cli, name, options);
    });
};

async function create(cli: Cli, name: string, options: NewLlmOptions): Promise<void> {
  const { provider, model } = options;
  const target = await openProjectToFill(cli, options);
  requireFreeName(target.index, 'llm', name, 'An llm profile');
  const providers = knownProviders(target.index);
  if (!providers.includes(provider))
    throw new UsageError(`--provider ${provider}: there is no such provider.${howToAddProviders(providers)}`);
  const form = { provider, model_name: model };
  const next = [
    `Call with it: ${cli.name} run AGENT --llm ${name}`,
    ...keyAdvice(llmTemplate(name, form).api_key),
    ...defaultAdvice(target),
  ];
  await createFiles(cli, target, [newLlmFile(target.index, name, form)], options, next.join('\n'));
}

function keyAdvice(api_key: unknown): readonly string[] {
  if (typeof api_key !== 'string') return [];
  const variable = secretVariable(api_key.slice('secret://'.length));
  return [`The key: the environment variable ${variable}, or in VS Code "Agent Stack: Set API Key".`];
}

function defaultAdvice({ index, project }: ProjectToFill): readonly string[] {
  const displaced = findDisplacedProfile(index);
  if (displaced === undefined) return [];
  const system = project.shownPath(pathOf('system', 'system', index.settings));
  return [
    `Agents that name no model used ${displaced}, the only profile until now, and have to name one from now on. To keep ${displaced} for all of them, write {"agent_defaults": {"llm_config_id": "${displaced}"}} into ${system}.`,
  ];
}
