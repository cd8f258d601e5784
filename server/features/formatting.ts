import type {
  DocumentFormattingParams,
  DocumentOnTypeFormattingParams,
  DocumentRangeFormattingParams,
  TextEdit,
} from 'vscode-languageserver';
import type { Feature } from '../feature.js';

type Edits = readonly TextEdit[] | null;

const wholeDocument: Feature<DocumentFormattingParams, Edits> = {
  method: 'textDocument/formatting',
  needs: ['textDocument', 'options'],
  capability: () => ({ documentFormattingProvider: true }),
  async handle(params, context) {
    const { formatDocument } = await import('../formatting/provideFormatting.js');
    return formatDocument(params, context);
  },
};

const range: Feature<DocumentRangeFormattingParams, Edits> = {
  method: 'textDocument/rangeFormatting',
  needs: ['textDocument', 'range', 'options'],
  capability: () => ({ documentRangeFormattingProvider: true }),
  async handle(params, context) {
    const { formatRange } = await import('../formatting/provideFormatting.js');
    return formatRange(params, context);
  },
};

const onType: Feature<DocumentOnTypeFormattingParams, Edits> = {
  method: 'textDocument/onTypeFormatting',
  needs: ['textDocument', 'position', 'ch', 'options'],
  capability: () => ({ documentOnTypeFormattingProvider: { firstTriggerCharacter: '}', moreTriggerCharacter: [']', '\n'] } }),
  async handle(params, context) {
    const { formatOnType } = await import('../formatting/provideFormatting.js');
    return formatOnType(params, context);
  },
};

/** White space only: of the document, of a range, and while a bracket or a line break is typed. */
export const formatting = [wholeDocument, range, onType] as const;
