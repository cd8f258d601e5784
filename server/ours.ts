import type { TextDocumentIdentifier } from 'vscode-languageserver';
import type { Document } from './document.js';
import type { FeatureContext } from './feature.js';
import type { Project } from './workspace.js';

/** A config file of a project. */
export interface OurDocument {
  readonly document: Document;
  readonly project: Project;
}

/** Undefined for a file of another tool, of clearly different content, or above the 10 MB limit of config files, which a finding reports. */
export function ourDocument({ uri }: TextDocumentIdentifier, { workspace }: Pick<FeatureContext, 'workspace'>): OurDocument | undefined {
  const document = workspace.document(uri);
  if (document?.config === undefined || document.config.foreign) return undefined;
  const project = workspace.projectOf(uri);
  return project && { document, project };
}
