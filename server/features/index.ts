import type { AnyFeature } from '../feature.js';
import { callHierarchy } from './callHierarchy.js';
import { codeAction } from './codeAction.js';
import { codeActionResolve } from './codeActionResolve.js';
import { codeLens } from './codeLens.js';
import { completion } from './completion.js';
import { definition } from './definition.js';
import { documentDiagnostics } from './documentDiagnostics.js';
import { documentHighlight } from './documentHighlight.js';
import { documentLinks } from './documentLinks.js';
import { documentSymbols } from './documentSymbols.js';
import { executeCommand } from './executeCommand.js';
import { foldingRanges } from './foldingRanges.js';
import { formatting } from './formatting.js';
import { hover } from './hover.js';
import { inlayHints } from './inlayHints.js';
import { prepareRename } from './prepareRename.js';
import { references } from './references.js';
import { rename } from './rename.js';
import { selectionRanges } from './selectionRanges.js';
import { semanticTokens } from './semanticTokens.js';
import { willRenameFiles } from './willRenameFiles.js';
import { workspaceDiagnostics } from './workspaceDiagnostics.js';
import { workspaceSymbols } from './workspaceSymbols.js';

/** Every request the server answers. A new feature is one new file and one line here. */
export const features: readonly AnyFeature[] = [
  ...callHierarchy,
  codeAction,
  codeActionResolve,
  ...codeLens,
  ...completion,
  definition,
  documentDiagnostics,
  documentHighlight,
  documentLinks,
  documentSymbols,
  executeCommand,
  foldingRanges,
  ...formatting,
  hover,
  prepareRename,
  ...inlayHints,
  references,
  rename,
  selectionRanges,
  willRenameFiles,
  ...semanticTokens,
  workspaceDiagnostics,
  ...workspaceSymbols,
];
