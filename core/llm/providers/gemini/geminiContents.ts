import type { JsonObject } from '../../../json.js';
import type { AssistantBlock, Message, ToolUseBlock, UserBlock } from '../../types.js';

/** A turn of `generateContent`. */
export interface GeminiTurn {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonObject[];
}

/**
 * The signature that Google's guide to thought signatures gives for a call that the model did not make itself, or whose signature is
 * lost, as in a conversation from a file. (ai.google.dev, read 2026-11-22)
 */
const noSignature = 'skip_thought_signature_validator';

/**
 * The conversation in the form of `generateContent`: system texts apart, and alternating turns; consecutive messages of one side become
 * one turn. Empty texts and thoughts without a signature, which mean nothing to the model, are left out. A call id that we made up is
 * not sent: calls and results are then matched by name and order.
 *
 * @param wantsSignatures the model refuses a call without one
 */
export function toGeminiTurns(
  messages: readonly Message[],
  wantsSignatures: boolean,
): { readonly system: string; readonly turns: readonly GeminiTurn[] } {
  const system: string[] = [];
  const turns: { role: GeminiTurn['role']; parts: JsonObject[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') {
      if (message.content !== '') system.push(message.content);
      continue;
    }
    const parts = partsOf(message, wantsSignatures);
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  return { system: system.join('\n\n'), turns };
}

function partsOf({ content }: Message, wantsSignatures: boolean): JsonObject[] {
  const blocks: readonly (UserBlock | AssistantBlock)[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  // Of several parallel calls only the first carries a signature.
  const first = blocks.find((block) => block.type === 'tool_use');
  return blocks.map((block) => toPart(block, wantsSignatures && block === first)).filter((part) => part !== undefined);
}

function toPart(block: UserBlock | AssistantBlock, wantsSignature: boolean): JsonObject | undefined {
  switch (block.type) {
    case 'text':
      return block.text === '' ? undefined : { text: block.text };
    case 'thinking': {
      const { signature, text, redacted } = block;
      if (signature === undefined) return undefined;
      // A signature without a thought arrived with a text, and its mark says so.
      return { text, ...(!redacted && { thought: true }), thoughtSignature: signature };
    }
    case 'tool_use':
      return toCall(block, wantsSignature);
    case 'tool_result':
      return {
        functionResponse: {
          ...idOf(block.tool_use_id),
          name: block.name,
          response: block.is_error ? { error: block.content } : { output: block.content },
        },
      };
  }
}

function toCall({ id, name, input, signature }: ToolUseBlock, wantsSignature: boolean): JsonObject {
  const thoughtSignature = signature ?? (wantsSignature ? noSignature : undefined);
  return { functionCall: { ...idOf(id), name, args: input }, ...(thoughtSignature !== undefined && { thoughtSignature }) };
}

/** Ids as `createToolIds` generates them. */
const madeUp = /^call_\d+$/;

function idOf(id: string): { id?: string } {
  return madeUp.test(id) ? {} : { id };
}
