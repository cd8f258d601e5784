import type { AnyFeature } from '../feature.js';
import { documentDiagnostics } from './documentDiagnostics.js';
import { workspaceDiagnostics } from './workspaceDiagnostics.js';

/** Every request the server answers. A new feature is one new file and one line here. */
export const features: readonly AnyFeature[] = [documentDiagnostics, workspaceDiagnostics];
