import { CompletionItemKind } from 'vscode-languageserver';
import type { KnownTool } from '../../core/config/knownTools.js';
import { json } from './draft.js';
import type { Suggestion } from './suggestion.js';

/** A tool by the name that a model uses. @param ids the servers that it is offered for; null for all */
export function toolSuggestion(name: string, { origin }: KnownTool, ids: readonly string[] | null, label = name): Suggestion {
  return {
    type: 'value',
    label,
    value: json(label),
    kind: CompletionItemKind.Function,
    detail: origin.type === 'mcp' ? `tool of ${origin.client_id}` : origin.type === 'skill' ? 'skill' : 'built-in tool',
    docs: { type: 'tool', name, ids },
    rank: origin.type === 'mcp' ? 1 : 2,
  };
}
