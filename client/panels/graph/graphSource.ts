import * as vscode from 'vscode';
import { withoutOurs } from '../../../core/config/parseConfigFile.js';
import type { Severity } from '../../../core/finding.js';
import { isObject } from '../../../core/json.js';
import { locate } from '../../../core/jsonText/locate.js';
import { parseJson } from '../../../core/jsonText/parseJson.js';
import { createGraphModel, type GraphMark, type GraphModel } from '../../../core/routing/graph/graphModel.js';

/** A place of the file that an element of the graph represents, in UTF-16 units. */
interface Place {
  readonly pointer: string;
  readonly start: number;
  readonly end: number;
}

/** The text of an orchestration as its graph: with the findings that the editor shows, and links between text and graph in both directions. */
export interface GraphSource {
  readonly model: GraphModel;
  /** The innermost place around an offset; undefined for none. */
  pointerAt(offset: number): string | undefined;
}

/** @returns the reason without a graph, if the text is not a JSON object */
export function readGraph(document: vscode.TextDocument): GraphSource | string {
  const text = document.getText();
  const { value, syntax } = parseJson(text);
  if (!isObject(value)) {
    const [first] = syntax;
    if (first === undefined) return vscode.l10n.t('The file holds no JSON object.');
    const { line } = document.positionAt(first.range.start);
    return vscode.l10n.t('Line {0}: {1}', line + 1, first.message);
  }
  const orchestration = withoutOurs(value);
  const places = placesOf(text, createGraphModel(orchestration));
  const marks = vscode.languages.getDiagnostics(document.uri).map((diagnostic): GraphMark => {
    const at = document.offsetAt(diagnostic.range.start);
    return { severity: severities[diagnostic.severity], message: diagnostic.message, pointer: innermost(places, at) ?? '' };
  });
  return {
    model: createGraphModel(orchestration, marks, vscode.l10n.t),
    pointerAt: (offset) => innermost(places, offset),
  };
}

const severities: Readonly<Record<vscode.DiagnosticSeverity, Severity>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

function placesOf(text: string, { nodes, edges }: GraphModel): readonly Place[] {
  const pointers = new Set<string>();
  for (const node of nodes) {
    pointers.add(node.pointer);
    if (node.kind === 'team') for (const task of node.tasks) pointers.add(task.pointer);
  }
  for (const { pointer } of edges) pointers.add(pointer);
  return [...locate(text, pointers)].map(([pointer, { key, value }]) => ({ pointer, start: (key ?? value).start, end: value.end }));
}

function innermost(places: readonly Place[], offset: number): string | undefined {
  let smallest: Place | undefined;
  for (const place of places)
    if (place.start <= offset && offset <= place.end && (smallest === undefined || place.end - place.start < smallest.end - smallest.start))
      smallest = place;
  return smallest?.pointer;
}
