import type { CompletionItem, Hover, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { DraftAnswer } from '../../core/draftAnswer.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { ConfigDocument } from '../configDocument.js';
import type { FeatureContext } from '../feature.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';
import { Argument } from './target.js';

/**
 * Checks a possible text of a config file: its findings, and for an offset the completions and the hover there. For editors
 * that show a part of a file as a separate document. Changes nothing.
 *
 * @throws ResponseError
 */
export async function draft(value: unknown, context: FeatureContext): Promise<DraftAnswer> {
  const argument = new Argument('agentStack.server.draft', value);
  const uri = argument.text('uri') ?? argument.refuse('takes the uri of a file as uri');
  const text = argument.text('text') ?? argument.refuse('takes the text of the file as text');
  // Which agents use a prompt is known only when all files are.
  await context.workspace.ready(context.signal);
  const { document, project } = open(uri, text, context);
  const pointer = argument.text('pointer');
  const completionAt = argument.number('completion');
  if (completionAt !== undefined) return { findings: [], completions: await completionsAt(document, completionAt, context) };
  const hoverAt = argument.number('hover');
  if (hoverAt !== undefined) return { findings: [], ...(await hoverOf({ document, project }, hoverAt, context)) };
  return { findings: await findingsOf(document, project, context), ...(await tokensOf({ document, project }, pointer)) };
}

interface Draft {
  readonly document: ConfigDocument;
  readonly project: Project;
}

function open(uri: string, text: string, { workspace }: FeatureContext): Draft {
  const project = workspace.projectOf(uri);
  const path = workspace.document(uri)?.path;
  const identity = path === undefined ? undefined : project?.identityOf(path);
  if (project === undefined || path === undefined || identity === undefined)
    throw requestFailed(`${uri} is not a config file of a project.`);
  const textDocument = TextDocument.create(uri, 'json', 0, text);
  return { project, document: new ConfigDocument({ textDocument, isOpen: false, path, identity }) };
}

async function findingsOf(document: ConfigDocument, project: Project, { workspace }: FeatureContext): Promise<DraftAnswer['findings']> {
  const ownFindings = await project.findingsIn(document);
  // Faults that agents report in a prompt are known only for the current text of the file.
  const isAsItIs = workspace.document(document.uri)?.fileText === document.fileText;
  const { promptFaults } = await import('../promptFaults.js');
  const others = isAsItIs && document.path !== undefined ? await promptFaults(project, document.path) : [];
  return [...ownFindings, ...others].map(({ code, severity, message, range }) => {
    const page = workspace.host.rulePage(code);
    return { code, severity, message, ...range, ...(page !== undefined && { page }) };
  });
}

async function tokensOf({ document, project }: Draft, pointer: string | undefined): Promise<Pick<DraftAnswer, 'tokens'>> {
  if (pointer === undefined || parentPointer(pointer) === undefined) return {};
  const { tokenTitleIn } = await import('../codeLens/tokenTitle.js');
  const tokens = await tokenTitleIn({ document, project }, pointer);
  return tokens === undefined ? {} : { tokens };
}

async function completionsAt(
  document: ConfigDocument,
  offset: number,
  context: FeatureContext,
): Promise<NonNullable<DraftAnswer['completions']>> {
  const { completionAt } = await import('../completion/provideCompletion.js');
  // Plain texts instead of snippets: the caller inserts them itself.
  const list = await completionAt(document, offset, { ...context, client: {} });
  return (list?.items ?? []).flatMap((item) => toCompletion(item, document) ?? []);
}

function toCompletion({ label, detail, textEdit }: CompletionItem, document: ConfigDocument) {
  const edit = textEdit as TextEdit | undefined;
  if (edit === undefined || !('range' in edit)) return undefined;
  return { label, insert: edit.newText, ...(detail !== undefined && { detail }), ...document.stretchOf(edit.range) };
}

async function hoverOf({ document, project }: Draft, offset: number, context: FeatureContext): Promise<Pick<DraftAnswer, 'hover'>> {
  const { hoverIn } = await import('../hover/provideHover.js');
  const client = { ...context.client, textDocument: { ...context.client.textDocument, hover: { contentFormat: ['markdown' as const] } } };
  const hover: Hover | null = await hoverIn({ document, project }, document.positionAt(offset), { ...context, client });
  if (hover?.range === undefined || typeof hover.contents !== 'object' || !('value' in hover.contents)) return {};
  return { hover: { markdown: hover.contents.value, ...document.stretchOf(hover.range) } };
}
