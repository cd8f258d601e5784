import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { isOtherFormat } from '../config/paths.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { quoted } from '../words.js';
import type { Report, Rule } from './rule.js';

/**
 * Two files whose names differ in letter case only: on the file systems of Windows and macOS they are one file, so a checkout loses either of
 * them. Also a prompt as JSON and as Markdown, two tasks of a team, steps of a plan or inputs of mcp.json with the same name: a reference to that name is ambiguous.
 */
export const duplicateIdentity: Rule = {
  code: 'duplicate-identity',
  severity: 'error',
  kinds: 'all',
  on: 'text',
  check(file, { project }, report) {
    if (isObject(file.value)) checkParts(file.value, file.identity.kind, file.path, report);
    const isOtherForm = (path: string) => isOtherFormat(path, file.path);
    const all = project.twins(file.identity.kind, file.identity.id, file.path);
    const reportFiles = (twins: readonly string[], message: string) => {
      if (twins.length === 0) return;
      const related = twins.map((twin) => ({ file: twin, pointer: '', message: 'The other file is here.' }));
      report({ pointer: '', message, related, data: { twins } });
    };
    const twins = all.filter((path) => !isOtherForm(path));
    reportFiles(
      twins,
      `${twins.join(' and ')} ${twins.length === 1 ? 'differs' : 'differ'} from this file in letter case only: on a file system that ignores case they are one file. Rename one.`,
    );
    const forms = all.filter(isOtherForm);
    reportFiles(forms, `${forms.join()} is the same prompt in another format. Delete one of the two files.`);
  },
};

function checkParts(value: JsonObject, kind: Kind, file: string, report: Report): void {
  const checkList = uniquenessIn(file, report);
  if (kind === 'orchestration') {
    for (const team of teamsIn(value)) {
      checkList(team.value.tasks, `${team.pointer}/tasks`, 'name', `The team ${quoted(team.id)} has another task named`);
      for (const task of tasksIn(team)) if (isObject(task.value.config)) checkPlan(task.value.config, `${task.pointer}/config`, checkList);
    }
  } else if (kind === 'mcp' || kind === 'vscodeMcp') checkList(value.inputs, '/inputs', 'id', 'Another input has the id');
  else if (kind === 'agent' || kind === 'persona') checkPlan(value, '', checkList);
}

function checkPlan({ execution_plan: plan }: JsonObject, pointer: string, checkList: CheckList): void {
  if (isObject(plan)) checkList(plan.steps, `${pointer}/execution_plan/steps`, 'name', 'The plan has another step named');
}

type CheckList = (list: Json | undefined, pointer: string, field: string, message: string) => void;

function uniquenessIn(file: string, report: Report): CheckList {
  return (list, pointer, field, message) => {
    if (!Array.isArray(list)) return;
    const first = new Map<string, number>();
    for (const [index, part] of (list as readonly Json[]).entries()) {
      const name = isObject(part) ? part[field] : undefined;
      if (typeof name !== 'string') continue;
      const earlier = first.get(name);
      if (earlier === undefined) {
        first.set(name, index);
        continue;
      }
      report({
        pointer: `${pointer}/${index}/${field}`,
        message: `${message} ${quoted(name)}: a reference to it is ambiguous. Rename one.`,
        related: [{ file, pointer: `${pointer}/${earlier}/${field}`, message: 'The other is here.' }],
        data: { name },
      });
    }
  };
}
