import type * as vscode from 'vscode';
import type { Client } from '../client.js';

/** What registers a view, a provider or a status item. Registering reads no file; whatever is heavy is imported when it is first shown. */
export type View = (client: Client) => vscode.Disposable;

/** Every view: one line here, one file beside it. */
export const views: readonly View[] = [];
