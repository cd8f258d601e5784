import type * as vscode from 'vscode';
import type { Client } from '../client.js';

/** Registers a view, a provider or a status item. Reads no file; heavy code is imported when the view is first shown. */
export type View = (client: Client) => vscode.Disposable;
