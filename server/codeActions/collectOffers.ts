import { CodeActionKind } from 'vscode-languageserver';
import type { ConfigFile } from '../../core/config/configFile.js';
import type { PlacedFinding, TextRange } from '../../core/finding.js';
import { isObject } from '../../core/json.js';
import { isPromptText } from '../../core/jsonText/promptText.js';
import { isWanted, type Offer, type OfferRequest } from '../offer.js';
import { preview } from '../preview.js';
import { fixAll } from '../quickFixes/fixAll.js';
import { fixesFor } from '../quickFixes/fixesFor.js';
import { ignoreFixer } from '../quickFixes/ignoreFixes.js';
import type { Fix } from '../quickFixes/quickFix.js';
import { safeFixes, safeFixOf } from '../quickFixes/safeFixes.js';
import { refactorings } from '../refactorings/index.js';
import { selectedFields } from '../refactorings/selection.js';

/** All code actions at a place of a document, without their edits. */
export async function collectOffers(request: OfferRequest): Promise<readonly Offer[]> {
  const { document, project, only } = request;
  const { path, config } = document;
  if (path === undefined || config === undefined || config.foreign) return [];
  const offers: Offer[] = [];
  const wantsFixes = isWanted(CodeActionKind.QuickFix, only);
  const wantsAll = isWanted(fixAllKind, only);
  if (wantsFixes || wantsAll) {
    // A broken prompt in Markdown gets no repairs of JSON.
    const isRepairable = config.value !== undefined || !isPromptText(path);
    const findings = isRepairable
      ? (await project.findings(path)).map((found) => ({ ...found, range: document.fromFile(found.range) }))
      : [];
    if (wantsFixes) offers.push(...fixOffers(request, config, findings));
    if (wantsAll) offers.push(...fixAllOffers(request, config, findings));
  }
  if (!isObject(config.value) || refactorings.every(({ kind }) => !isWanted(kind, only))) return offers;
  const place = { document, project, file: config, value: config.value, stretch: request.stretch, fields: selectedFields(request) };
  for (const refactoring of refactorings) {
    if (!isWanted(refactoring.kind, only)) continue;
    for (const { id = '', ...proposal } of refactoring.propose(place))
      offers.push({ ...proposal, id: `refactor ${refactoring.name} ${id}`, kind: refactoring.kind });
  }
  return offers;
}

export const fixAllKind = `${CodeActionKind.SourceFixAll}.agentStack`;

function fixOffers(
  { document, project, stretch, context: { logger } }: OfferRequest,
  file: ConfigFile,
  findings: readonly PlacedFinding[],
): readonly Offer[] {
  const context = { document, project, file };
  const here = [...findings.entries()].filter(([, { range }]) => touches(range, stretch)).slice(0, mostFindings);
  const fixesOf = (of: (finding: PlacedFinding) => readonly Fix[], finding: PlacedFinding) => {
    try {
      return of(finding);
    } catch (error) {
      // A bug in one fix must not suppress the others.
      logger.log('error', `The fixes of ${finding.code} failed`, { error });
      return [];
    }
  };
  const offers = (of: (finding: PlacedFinding) => readonly Fix[]) =>
    here.flatMap(([index, finding]) =>
      fixesOf(of, finding).map(
        ({ title, preferred, command, changes }): Offer => ({
          id: `fix ${finding.code} ${finding.range.start} ${fingerprint(finding.pointer + title)}`,
          title: preview(title, longestTitle),
          kind: CodeActionKind.QuickFix,
          ...(preferred === true && { isPreferred: true }),
          finding: index,
          ...(command !== undefined && { command }),
          changes,
        }),
      ),
    );
  // Ignoring a finding is offered after all fixes.
  return [...offers((finding) => fixesFor(finding, context)), ...offers(ignoreFixer(context))];
}

const mostTried = 5;

/** Longest title, in UTF-16 units: it may quote a name of any length. Secrets in it are masked. */
const longestTitle = 120;

/** A hash that distinguishes the fixes at one place without quoting the file. FNV-1a, 32 bits. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Most findings that one request offers fixes for. */
const mostFindings = 50;

function fixAllOffers(
  { document, project, context }: OfferRequest,
  file: ConfigFile,
  findings: readonly PlacedFinding[],
): readonly Offer[] {
  const fixContext = { document, project, file };
  const isSafe = (finding: PlacedFinding) => safeFixOf(finding, fixContext, fixesFor(finding, fixContext)) !== undefined;
  // Each syntax repair is tried on the whole text, so only the first few are tried here.
  const likely = findings.filter(({ code }) => safeFixes.has(code)).slice(0, file.value === undefined ? mostTried : mostFindings);
  if (!likely.some(isSafe)) return [];
  return [
    {
      id: 'fix-all',
      title: 'Fix everything that changes no behaviour',
      kind: fixAllKind,
      changes: async () => {
        const replacements = await fixAll(document, project, context.settings.rules, context.pause);
        return replacements.length === 0 ? [] : [{ type: 'edit', path: file.path, replacements }];
      },
    },
  ];
}

function touches(range: TextRange, stretch: TextRange): boolean {
  return range.start <= stretch.end && stretch.start <= range.end;
}
