import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { type Host, type HostFolders, startHost } from '../../../scripts/vscodeHost.mjs';
import type { SharedByEditors } from './sharedByEditors.js';

export const root = join(import.meta.dirname, '../../..');

export interface Editor {
  readonly host: Host;
  /** A copy of the sample project, opened as the workspace. */
  readonly workspace: string;
  readonly folders: HostFolders;
  /** The workbench in a new page, ready for input. */
  open(options?: OpenOptions): Promise<Page>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly payload?: readonly (readonly [string, string])[];
  /** What the page may call: the driver of the API suite. */
  readonly expose?: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly folder?: string;
}

export interface EditorOptions {
  /** With VS Code's smoke-test driver, the default, it shows no notification by itself: `none` is as users have it. */
  readonly driver?: 'smoke-test' | 'none';
  readonly isTrusting?: boolean;
  /** BCP 47: the editor has a language pack of it, without a word in it, so that what speaks it is the extension. */
  readonly language?: string;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files written over the copy of the sample project, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A real VS Code with the sample project and the packaged extension, shown by a real browser. */
export async function startEditor(shared: SharedByEditors, options: EditorOptions = {}): Promise<Editor> {
  const home = mkdtempSync(join(tmpdir(), 'agent-stack-editor-'));
  const folders = { extensions: shared.extensions, user: join(home, 'user'), server: join(home, 'server') };
  const workspace = join(home, 'sample');
  mkdirSync(workspace);
  for (const path of ['config', 'agentstack.json']) cpSync(join(root, path), join(workspace, path), { recursive: true });
  for (const [path, text] of Object.entries(options.files ?? {})) {
    mkdirSync(join(workspace, path, '..'), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  // What is in the folder of the server counts as the settings of the remote machine.
  mkdirSync(join(folders.server, 'data/Machine'), { recursive: true });
  mkdirSync(join(folders.user, 'User'), { recursive: true });
  const settings = JSON.stringify({ ...quietSettings, ...options.settings });
  writeFileSync(join(folders.user, 'User/settings.json'), settings);
  writeFileSync(join(folders.user, 'Machine-settings.json'), settings);
  mkdirSync(join(folders.user, 'Machine'), { recursive: true });
  writeFileSync(join(folders.user, 'Machine/settings.json'), settings);
  if (options.language !== undefined) writeLanguagePack(folders.user, options.language);
  const host = await startHost(folders, {
    ...(options.isTrusting !== undefined && { isTrusting: options.isTrusting }),
    // As from a terminal, whose environment it takes over: otherwise it asks a login shell for one.
    env: { VSCODE_CLI: '1', ...options.env },
    args: [
      ...(options.driver === 'none' ? [] : ['--enable-smoke-test-driver']),
      ...(options.language === undefined ? [] : [`--locale=${options.language}`]),
      ...(options.args ?? []),
    ],
  });
  const browser = await chromium.connect(shared.browser);

  return {
    host,
    workspace,
    folders,
    async open({ width = 1280, height = 800, payload, expose = {}, folder = workspace } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale: options.language ?? 'en-US',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      // So long a busy machine may take; nothing waits that long elsewhere.
      context.setDefaultTimeout(90_000);
      const page = await context.newPage();
      for (const [name, call] of Object.entries(expose)) await page.exposeFunction(name, call);
      const query = payload === undefined ? '' : `&payload=${encodeURIComponent(JSON.stringify(payload))}`;
      await page.goto(`${host.url}/?folder=${encodeURIComponent(folder)}${query}`);
      await page.waitForSelector('.monaco-workbench');
      return page;
    },
    async close() {
      await browser.close();
      await host.stop();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function writeLanguagePack(user: string, language: string): void {
  const words = join(user, `${language}.json`);
  writeFileSync(words, '{ "contents": {} }');
  const extensions = [{ extensionIdentifier: { id: `ms-ceintl.vscode-language-pack-${language}` }, version: '1.0.0' }];
  const pack = { hash: language, extensions, translations: { vscode: words }, label: language };
  writeFileSync(join(user, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** Nothing that moves, asks or advertises. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.enabled': false,
  // As on a desktop; in a browser it is on, and nothing typed could be taken back.
  'files.autoSave': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.untrustedFiles': 'open',
  'workbench.reduceMotion': 'on',
  // Otherwise it lists the processes and connections of the whole machine again and again.
  'remote.autoForwardPortsSource': 'output',
  // A page that is being drawn takes the focus.
  'workbench.quickOpen.closeOnFocusLost': false,
};
