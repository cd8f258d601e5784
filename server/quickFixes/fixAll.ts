import { type Checker, createChecker } from '../../core/check/checker.js';
import { checkLoading } from '../../core/check/checkFile.js';
import type { ConfigFile } from '../../core/config/configFile.js';
import type { ProjectSettings } from '../../core/config/projectSettings.js';
import type { PlacedFinding } from '../../core/finding.js';
import { rules } from '../../core/generated/rules.js';
import { applyReplacements, type TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { parseJson } from '../../core/jsonText/parseJson.js';
import { placeFindings } from '../../core/jsonText/placeFindings.js';
import { fileTextAfter } from '../../core/jsonText/promptEdits.js';
import { isPromptText, jsonTextOf } from '../../core/jsonText/promptText.js';
import type { RuleContext } from '../../core/rules/rule.js';
import type { Document } from '../document.js';
import { withText } from '../edits/editedProject.js';
import { trimmedReplacement } from '../edits/trimmedReplacement.js';
import type { Project } from '../workspace.js';
import { fixesFor } from './fixesFor.js';
import { safeFixes, safeFixOf } from './safeFixes.js';
import { plainRepairs } from './syntax.js';

/** Most rounds of fixes. A file that needs more gets the rest in the next fix-all. */
const mostRounds = 60;

/**
 * Applies all safe fixes of a file, in rounds, until none is left: one fix may reveal another fault. A second fix-all changes nothing.
 */
export async function fixAll(
  document: Document,
  project: Project,
  severities: ProjectSettings['rules'],
  pause: () => void | Promise<void>,
): Promise<readonly TextReplacement[]> {
  const { path } = document;
  const identity = path === undefined ? undefined : project.identityOf(path);
  if (path === undefined || identity === undefined || document.config === undefined) return [];
  const checker = createChecker(
    rules.filter(({ code }) => safeFixes.has(code)),
    { rules: { ...project.settings.rules, ...severities } },
  );
  const seen = new Set<string>();
  let { text, fileText } = document;
  let first: readonly TextReplacement[] | undefined;
  for (let round = 0; round < mostRounds && !seen.has(text); round++) {
    await pause();
    seen.add(text);
    const edited = withText(project, path, fileText);
    const fixes = await safeReplacements(edited, path, checker, pause);
    if (fixes.length === 0) return first ?? (round === 0 ? [] : trimmedReplacement(document.text, text));
    const replacements = withoutConflict(text, fixes);
    first = round === 0 ? replacements : undefined;
    fileText = fileTextAfter(path, fileText, replacements);
    text = jsonTextOf(path, fileText).json;
  }
  return trimmedReplacement(document.text, text);
}

/** All fixes at once; only the first one if two together would duplicate a key. The next round judges the other one anew. */
function withoutConflict(text: string, fixes: readonly Replacements[]): Replacements {
  const all = fixes.flat().sort((left, right) => left.start - right.start);
  const [first = []] = fixes;
  return duplicateKeys(applyReplacements(text, all)) > duplicateKeys(text) ? first : all;
}

function duplicateKeys(text: string): number {
  return parseJson(text).syntax.filter(({ code }) => code === 'duplicate-key').length;
}

type Replacements = readonly TextReplacement[];

/** The safe fixes of a text that do not overlap, each with its replacements. */
async function safeReplacements(
  project: Project,
  path: string,
  checker: Checker,
  pause: () => void | Promise<void>,
): Promise<readonly Replacements[]> {
  const document = project.documentAt(path);
  const file = document?.config;
  if (document === undefined || file === undefined || file.foreign) return [];
  if (file.value === undefined) {
    if (isPromptText(path)) return [];
    const repairs = plainRepairs(file.text, file.syntax);
    if (repairs.length > 0) return [repairs];
  }
  const context = { project, document, file };
  const taken: Replacements[] = [];
  for (const placed of await findingsOf(file, project.ruleContext, checker)) {
    const finding = { ...placed, range: document.fromFile(placed.range) };
    await pause();
    const fix = safeFixOf(finding, context, fixesFor(finding, context));
    const changes = await fix?.changes();
    const edits = changes?.flatMap((change) => (change.type === 'edit' && change.path === path ? change.replacements : [])) ?? [];
    const isFree = edits.every((edit) => taken.flat().every((other) => edit.end < other.start || other.end < edit.start));
    if (isFree && edits.length > 0) taken.push(edits);
  }
  return taken;
}

async function findingsOf(file: ConfigFile, context: RuleContext, checker: Checker): Promise<readonly PlacedFinding[]> {
  const { findings } = await checkLoading(checker, file, context);
  return placeFindings(file.fileText, findings);
}
