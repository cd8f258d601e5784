import { CodeActionKind } from 'vscode-languageserver';
import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { locate } from '../../core/jsonText/locate.js';
import { promptFileText } from '../../core/jsonText/promptEdits.js';
import { isPromptText } from '../../core/jsonText/promptText.js';
import { isLegalName } from '../../core/kinds.js';
import { promptTextPath } from '../../core/scaffold/newFile.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { proveSamePrompts } from './proof.js';
import type { Proposal, Refactoring, RefactoringContext } from './refactoring.js';
import { freeName, snakeCase, touches } from './selection.js';

const unwritable = 'Markdown cannot hold this text: it has line ends of Windows inside.';

/**
 * Moves the prompt of an agent, or of a layer below or above one, to a text file in the prompt store, and a prompt of the store from JSON to
 * Markdown.
 */
export const extractPrompt: Refactoring = {
  name: 'extract-prompt',
  kind: CodeActionKind.RefactorExtract,
  propose(context) {
    const { document, file, value, fields } = context;
    if (file.identity.kind === 'prompt' && fields.includes('template') && !isPromptText(file.path)) {
      const to = file.path.replace(/\.json$/, '.md');
      const { $schema: _schema, ...written } = value;
      const text = promptFileText(written);
      const changes = (): readonly FileChange[] => [
        { type: 'edit', path: file.path, replacements: [{ start: 0, end: document.text.length, text: text ?? '' }] },
        { type: 'move', from: file.path, to },
      ];
      return [{ title: `Write this prompt as text, in ${to}`, ...(text === undefined && { disabled: unwritable }), changes }];
    }
    return layersIn(context).flatMap((layer) => extraction(layer, context));
  },
};

/** An object with fields of an agent. */
interface AgentLayer {
  readonly pointer: string;
  /** Name and version of its prompt, if they are free. */
  readonly name: string;
  readonly version: string;
}

function layersIn({ file, value }: RefactoringContext): readonly AgentLayer[] {
  const { kind, name, version = 'v1' } = file.identity;
  switch (kind) {
    case 'agent':
    case 'persona':
      return [{ pointer: '', name, version }];
    case 'system': {
      const agents = isObject(value.agents) ? Object.keys(value.agents) : [];
      const sections = ['agent_defaults', 'persona_defaults'].map((section) => ({ pointer: pointerOf(section), name: section, version }));
      return [...sections, ...agents.map((agent) => ({ pointer: pointerOf('agents', agent), name: agent, version }))];
    }
    case 'orchestration':
      return teamsIn(value)
        .flatMap(tasksIn)
        .map((task) => ({ pointer: `${task.pointer}/config`, name: task.name ?? name, version }));
    default:
      return [];
  }
}

/** The system text of a layer in a prompt file; with the cursor in its purpose, which is sent after it, both. */
function extraction({ pointer, name, version }: AgentLayer, context: RefactoringContext): readonly Proposal[] {
  const { project, document, file, stretch } = context;
  const layer = valueAt(file.value, pointer);
  if (!isObject(layer)) return [];
  const written = (['system_text', 'purpose_text', 'user_text'] as const).filter((field) => typeof layer[field] === 'string');
  const places = locate(
    document.text,
    written.map((field) => pointer + pointerOf(field)),
  );
  const touched = written.filter((field) => {
    const place = places.get(pointer + pointerOf(field));
    return place !== undefined && touches({ start: place.key?.start ?? place.value.start, end: place.value.end }, stretch);
  });
  if (touched.length === 0) return [];
  const moved = written.filter(
    (field) => field !== 'user_text' && (touched.includes(field) || (field === 'system_text' && touched.includes('purpose_text'))),
  );
  const taken = [...project.index.ids('prompt').keys()].flatMap((id) =>
    id.endsWith(`@${version}`) ? [id.slice(0, id.lastIndexOf('@'))] : [],
  );
  const id = `${freeName(isLegalName(name) ? name : snakeCase(name), taken)}@${version}`;
  const path = promptTextPath(id, project.index.settings);
  const title = `Extract the prompt to a file, ${path}`;
  const text = promptFileText({ template: moved.map((field) => layer[field]).join('\n\n') });
  const disabled = moved.length === 0 ? noUserText : hasTemplate(layer) ? templateTaken : text === undefined ? unwritable : undefined;
  if (disabled !== undefined || text === undefined) return [{ id: pointer, title, disabled: disabled ?? unwritable, changes: () => [] }];
  const changes = (): readonly FileChange[] => {
    const edits = editJson(project, file.path, (edit) => {
      const prompts = `${pointer}/prompts`;
      if (isObject(layer.prompts)) edit.set(`${prompts}/system_prompt`, id);
      else edit.set(prompts, { system_prompt: id }, { after: [...moved] });
      for (const field of moved) edit.remove(pointer + pointerOf(field));
    });
    return proveSamePrompts(project, file.path, [...edits, { type: 'create', path, text }]);
  };
  return [{ id: pointer, title, changes }];
}

const noUserText = 'A prompt file is the template of the SYSTEM message; user_text makes the USER message, so it stays here.';
const templateTaken = 'There is a template from the prompt store here already.';

function hasTemplate({ prompts }: JsonObject): boolean {
  return isObject(prompts) && (prompts.system_prompt !== undefined || prompts.system_prompt_version !== undefined);
}
