import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import { ownProfile } from './chooseInput.js';
import { type Choice, pickOne } from './steps.js';

interface Question {
  readonly agent: Agent;
  readonly index: ProjectIndex;
  /** Null is the agent's own profile. */
  readonly last: string | null;
  readonly canGoBack: boolean;
}

/** Asks for the llm profile, the agent's own first; without asking where there is no other. */
export async function chooseProfile({
  agent,
  index,
  last,
  canGoBack,
}: Question): Promise<{ readonly llm: string | null } | 'back' | undefined> {
  const profileName = ownProfile(agent);
  const { config, llm } = agent.resolved;
  const others = [...index.ids('llm').keys()].filter((id) => id !== llm.llm_id);
  if (others.length === 0) return { llm: null };
  const items: Choice<{ readonly llm: string | null }>[] = [
    {
      label: profileName,
      description: [described(llm.provider, config.model_name), vscode.l10n.t("the agent's own")].join(' · '),
      value: { llm: null },
    },
    ...others.map((id) => {
      const profile = index.value('llm', id);
      return { label: id, description: described(profile?.provider, profile?.model_name), value: { llm: id } };
    }),
  ];
  return pickOne({
    title: vscode.l10n.t('Run {0}', `${config.agent_name}@${config.version}`),
    placeholder: vscode.l10n.t('With which llm profile?'),
    items,
    canGoBack,
    active: (choice) => choice.llm === last,
  });
}

function described(provider: unknown, model: unknown): string {
  if (provider === 'offline') return vscode.l10n.t('simulated, needs no key');
  const modelParts = [model, provider].filter((part) => typeof part === 'string' && part !== '');
  return modelParts.join(' · ');
}
