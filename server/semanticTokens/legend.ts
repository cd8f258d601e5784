import type { EntityKind } from '../names/entity.js';

/** Standard token types only, so that every editor has colours for them. Answers refer to them by index. */
export const tokenTypes = [
  'class',
  'interface',
  'namespace',
  'function',
  'property',
  'enumMember',
  'parameter',
  'variable',
  'macro',
  'keyword',
  'type',
] as const;

export const tokenModifiers = ['declaration', 'readonly'] as const;

export type TokenType = (typeof tokenTypes)[number];
export type TokenModifier = (typeof tokenModifiers)[number];

/** The token types of names. */
export const typeOfEntity: Readonly<Record<EntityKind, TokenType>> = {
  agent: 'class',
  'agent-version': 'keyword',
  llm: 'type',
  persona: 'interface',
  prompt: 'function',
  'prompt-version': 'keyword',
  mcp: 'namespace',
  team: 'namespace',
  task: 'function',
  step: 'function',
  field: 'property',
  'enum-value': 'enumMember',
  'input-key': 'parameter',
  'context-key': 'variable',
  'mcp-input': 'parameter',
  definition: 'type',
  skill: 'function',
  orchestration: 'class',
  environment: 'namespace',
};
