import type { AnyFeature } from '../feature.js';
import { callHierarchy } from './callHierarchy.js';
import { completion } from './completion.js';
import { definition } from './definition.js';
import { documentDiagnostics } from './documentDiagnostics.js';
import { documentHighlight } from './documentHighlight.js';
import { documentLinks } from './documentLinks.js';
import { documentSymbols } from './documentSymbols.js';
import { foldingRanges } from './foldingRanges.js';
import { formatting } from './formatting.js';
import { references } from './references.js';
import { selectionRanges } from './selectionRanges.js';
import { workspaceDiagnostics } from './workspaceDiagnostics.js';
import { workspaceSymbols } from './workspaceSymbols.js';

/** Every request the server answers. A new feature is one new file and one line here. */
export const features: readonly AnyFeature[] = [
  ...callHierarchy,
  ...completion,
  definition,
  documentDiagnostics,
  documentHighlight,
  documentLinks,
  documentSymbols,
  foldingRanges,
  ...formatting,
  references,
  selectionRanges,
  workspaceDiagnostics,
  ...workspaceSymbols,
];
