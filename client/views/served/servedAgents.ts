import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import { firstNames } from '../../../core/names.js';
import { createConfigChanges } from '../../../core/node/projectAdapters.js';
import { ProjectCatalog } from '../../../core/project/catalog.js';
import { createRunExposed } from '../../../core/project/runExposed.js';
import type { Project } from '../../../core/project/types.js';
import { refusalWords } from '../../../core/serve/describe.js';
import { type Exposed, findExposed, unknownWords } from '../../../core/serve/exposed.js';
import { failureWords, toolAnswer } from '../../../core/serve/toolAnswer.js';
import { openEditorProject } from '../../editorProject.js';
import { toSignal } from '../../ports/toSignal.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import type { LanguageModelTool } from './languageModelTools.js';

/** The tools for chats, as package.json describes them to models. Failures are thrown with words that the model can act on. */
export function servedAgents(services: Services): { readonly listAgents: LanguageModelTool; readonly runAgent: LanguageModelTool } {
  return {
    listAgents: {
      async invoke() {
        requireTrust();
        const listed = [];
        for (const { folder, exposed } of await findAll(services)) {
          for (const { id, description, input_schema, output_schema, refusal } of exposed) {
            const schemas = { input_schema, ...(output_schema && { output_schema }) };
            listed.push({ project: folder.name, name: id, description, available: refusal === undefined, ...schemas });
          }
        }
        const words =
          listed.length === 0 ? 'Nothing is exposed: "expose": true in the file of an agent or orchestration does that.' : undefined;
        return textResult(services, words ?? JSON.stringify(listed, null, 2));
      },
    },

    runAgent: {
      async prepareInvocation({ input }) {
        if (!vscode.workspace.isTrusted) return undefined;
        const { name, input: payload } = readInput(input);
        const { exposed } = await find(services, readInput(input)).catch(() => ({ exposed: undefined }));
        // What cannot run costs nothing, and says why.
        if (exposed === undefined || exposed.refusal !== undefined) return { invocationMessage: vscode.l10n.t('Looking for {0}', name) };
        const invocationMessage = vscode.l10n.t('Running {0}', exposed.id);
        return exposed.models.length === 0
          ? { invocationMessage }
          : { invocationMessage, confirmationMessages: confirmation(exposed, payload) };
      },

      async invoke({ input }, token) {
        requireTrust();
        const toolInput = readInput(input);
        const { exposed, folder } = await find(services, toolInput);
        if (exposed.refusal !== undefined) throw covered(services, `${exposed.id} is unavailable. ${refusalWords(exposed.refusal)}`);
        const project = await openEditorProject(services, folder, 'disk');
        const run = createRunExposed({ project, catalog: catalogOf(project, folder), keep: 'folder' });
        const { signal, release } = toSignal(token);
        try {
          const result = await run({ exposed, payload: toolInput.input, signal });
          if (signal.aborted) throw new vscode.CancellationError();
          if (result.status !== 'completed') throw covered(services, failureWords(result));
          return textResult(services, toolAnswer(result).content[0]?.text ?? '');
        } finally {
          release();
          await project.flush();
        }
      },
    },
  };
}

function catalogOf(project: Project, { root }: ProjectFolder): ProjectCatalog {
  return new ProjectCatalog({ project, changes: createConfigChanges(root) });
}

interface ToolInput {
  readonly name: string;
  readonly input: object;
  readonly project: string | undefined;
}

/** VS Code has checked it against the schema in package.json; who calls without VS Code gets the same words. */
function readInput(rawInput: unknown): ToolInput {
  const { name, input = {}, project }: { readonly [key: string]: unknown } = isObject(rawInput) ? rawInput : {};
  if (typeof name !== 'string') throw new Error('Give "name", the name of an agent or orchestration. agentstack_listAgents lists them.');
  if (!isObject(input)) throw new Error('"input" must be an object, as the input_schema that agentstack_listAgents gives describes it.');
  return { name, input, project: typeof project === 'string' ? project : undefined };
}

interface Found {
  readonly folder: ProjectFolder;
  readonly exposed: readonly Exposed[];
}

async function findAll(services: Services): Promise<readonly Found[]> {
  return Promise.all(
    (await services.projects.list()).map(async (folder) => {
      const project = await openEditorProject(services, folder, 'disk');
      const { exposed } = await catalogOf(project, folder).current();
      return { folder, exposed };
    }),
  );
}

async function find(
  services: Services,
  { name, project }: ToolInput,
): Promise<{ readonly folder: ProjectFolder; readonly exposed: Exposed }> {
  const all = (await findAll(services)).filter(({ folder }) => project === undefined || folder.name === project);
  const matches = all.flatMap(({ folder, exposed }) => {
    const match = findExposed(exposed, name);
    return match === undefined ? [] : [{ folder, exposed: match }];
  });
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only !== undefined)
    throw covered(
      services,
      `Several projects have ${JSON.stringify(name)}: give "project", one of ${firstNames(matches.map(({ folder }) => folder.name))}.`,
    );
  throw covered(
    services,
    unknownWords(
      all.flatMap(({ exposed }) => exposed),
      name,
    ),
  );
}

/** Longer input is cut: a person is to read it. */
const longestShown = 1000;

function confirmation({ id, models }: Exposed, payload: object): { readonly title: string; readonly message: vscode.MarkdownString } {
  const text = JSON.stringify(payload, null, 2);
  const message = new vscode.MarkdownString();
  message.appendText(vscode.l10n.t('The run asks {0}, which may cost money. Its input:', firstNames(models)));
  message.appendCodeblock(text.length > longestShown ? `${text.slice(0, longestShown)}\n...` : text, 'json');
  return { title: vscode.l10n.t('Run {0}?', id), message };
}

interface ResultApi {
  readonly LanguageModelToolResult: new (content: object[]) => object;
  readonly LanguageModelTextPart: new (value: string) => object;
}

function textResult({ cover }: Services, text: string): object {
  const { LanguageModelToolResult, LanguageModelTextPart } = vscode as unknown as ResultApi;
  return new LanguageModelToolResult([new LanguageModelTextPart(cover.apply(text))]);
}

function covered({ cover }: Services, message: string): Error {
  return new Error(cover.apply(message));
}
