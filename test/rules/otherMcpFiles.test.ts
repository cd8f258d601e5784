// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold the placeholders under test.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('foreign-name', 'placeholder-invalid', 'mcp-server-invalid', 'schema', 'unknown-property');

describe('of a list of MCP servers that works in its own tool nothing is said', () => {
  const ofRoot: Readonly<Record<string, Json>> = {
    'programs and addresses': {
      mcpServers: { a: { command: 'node', args: ['x.js'], env: {} }, b: { type: 'sse', url: 'https://x.example' } },
    },
    'variables with and without a fallback': {
      mcpServers: { a: { command: '${CLAUDE_PROJECT_DIR:-.}/run', args: ['${ROOT}'], env: { A: '${A:-}', B: 'x-${B}' } } },
    },
    'fields that some reader understands': {
      globalShortcut: 'Alt+Space',
      mcpServers: { 'My server': { type: 'stdio', command: 'a', description: 'b', alwaysAllow: ['c'], disabled: true } },
    },
    'the servers of a plugin, without a key around them': { a: { command: 'node', cwd: '${CLAUDE_PLUGIN_ROOT}' } },
    'a script, which its shell reads': { mcpServers: { a: { command: '/bin/bash', args: ['-c', 'echo $HOME ${f##*/}'] } } },
    'a place for a secret': { mcpServers: { a: { command: 'a', env: { API_TOKEN: '<paste your token here>' } } } },
  };
  test.each(Object.entries(ofRoot))('.mcp.json: %s', async (_what, value) => {
    expect(await findingsOf(`--- .mcp.json\n${JSON.stringify(value)}`)).toEqual([]);
  });

  const ofVscode: Readonly<Record<string, string>> = {
    'comments and commas after the last entry': `{
      // "old": {},
      "servers": { "a": { "command": "node", "args": ["//x", ], /* , */ }, },
    }`,
    'an address without a type': '{ "servers": { "a": { "url": "https://x.example/mcp" } }, "inputs": [] }',
    'inputs of every type': `{
      "inputs": [
        { "id": "key-1", "type": "promptString", "description": "", "password": true },
        { "id": "place", "type": "pickString", "description": "Where", "options": ["eu", { "label": "US", "value": "us" }], "default": "eu" },
        { "id": "made", "type": "command", "command": "my.command", "args": {} }
      ],
      "servers": { "a": { "type": "http", "url": "https://\${input:place}", "headers": { "K": "Bearer \${input:key-1} \${input:made}" } } }
    }`,
    'predefined variables': `{ "servers": { "a": {
      "command": "\${userHome}/a", "cwd": "\${workspaceFolder:app}", "envFile": "\${workspaceFolder}/.env",
      "env": { "A": "\${env:A}", "B": "\${config:a.b}", "C": "\${command:a.b}", "D": "a\${pathSeparator}b\${/}c", "E": null, "F": 1 }
    } } }`,
    'what VS Code writes itself': `{ "servers": { "io.github.x/y": {
      "type": "stdio", "command": "npx", "gallery": "https://x.example", "version": "0.0.1-seed", "dev": { "watch": "src/**" }, "sandboxEnabled": true
    } } }`,
    'a script, which its shell reads': '{ "servers": { "a": { "command": "sh", "args": ["-c", "echo ${HOME} $X"] } } }',
  };
  test.each(Object.entries(ofVscode))('.vscode/mcp.json: %s', async (_what, text) => {
    expect(await findingsOf(`--- .vscode/mcp.json\n${text}`)).toEqual([]);
  });
});

test('what Claude Code does not read is marked in .mcp.json', () =>
  check(`--- .mcp.json
{
  "mcpServers": {
    "a": {
      "command": "npx -y a",
//               ^^^^^^^^^^ mcp-server-invalid Write "command": "npx" and put the rest into args.
      "arg": ["x"],
//    ^^^^^ unknown-property Nothing reads "arg" here. Did you mean "args"?
      "env": { "A": "\${env:A}", "B": "$B", "C": "\${workspaceFolder}/c", "PORT": 3000 }
//                   ^^^^^^^^ placeholder-invalid Claude Code does not read \${env:A} as a variable, so it is left unchanged. Write \${A} instead.
//                                    ^^ placeholder-invalid Write \${B} instead.
//                                               ^^^^^^^^^^^^^^^^^^ placeholder-invalid Write . instead.
//                                                                              ^^^^ schema must be a string
    },
    "b": { "serverUrl": "https://x.example", "headers": { "K": "Bearer \${input:my-key}" } },
//         ^^^^^^^^^^^ foreign-name "serverUrl" is another tool's name for "url". Rename it.
//                                                                     ^^^^^^^^^^^^^^^ placeholder-invalid Write \${MY_KEY} instead.
    "c": { "httpUrl": "https://x.example" },
//         ^^^^^^^^^ foreign-name
    "d": { "transport": "stdio", "command": "a", "environment": {} },
//         ^^^^^^^^^^^ foreign-name "transport" is another tool's name for "type".
//                                               ^^^^^^^^^^^^^ foreign-name "environment" is another tool's name for "env".
    "e": { "type": "streamableHttp", "url": "https://x.example" },
//                 ^^^^^^^^^^^^^^^^ schema Did you mean "streamable-http"?
    "f": { "link": "https://x.example" }
//  ^^^ schema must have the field "command" or "url"
  }
}
`));

test('what VS Code does not read is marked in its file', () =>
  check(`--- .vscode/mcp.json
{
  // The key is checked without the comment, too.
  "servers": {
    "a": { "command": "node", "args": ["\${HOME}/a"], "env": { "A": "\${A:-b}", "B": "$B", "C": "\${input:no}" } }
//                                      ^^^^^^^ placeholder-invalid VS Code does not read \${HOME} as a variable, so it is left unchanged. Write \${env:HOME} instead.
//                                                                  ^^^^^^^ placeholder-invalid Write \${env:A} instead.
//                                                                                  ^^ placeholder-invalid Write \${env:B} instead.
//                                                                                             ^^^^^^^^^^^ placeholder-invalid No input has the id "no", so the server cannot start. Add it to "inputs".
  }
}
`));

test.each([
  ['.mcp.json', 'servers', 'mcpServers'],
  ['.vscode/mcp.json', 'mcpServers', 'servers'],
  ['config/mcp.json', 'mcpServers', 'servers'],
])('%s does not have its servers under %s', async (path, wrong, right) => {
  const [found] = await findingsOf(`--- ${path}\n{ "${wrong}": { "a": { "command": "node" } } }`, ['foreign-name']);
  expect(found?.message).toBe(`"${wrong}" is another tool's name for "${right}". Rename it.`);
});

test.each([
  ['.mcp.json', 'mcpServers', '"${NAME}"'],
  ['.vscode/mcp.json', 'servers', '"${input:name}"'],
  ['config/mcp.json', 'servers', '"secret://NAME"'],
])('a secret in %s is found by its look and by its name', async (path, key, reference) => {
  const servers = { a: { command: 'a', args: ['--token', 'hunter2hunter2'], env: { DB_PASSWORD: 'hunter2hunter2' } } };
  const found = await findingsOf(`--- ${path}\n${JSON.stringify({ [key]: servers })}`, ['secret-in-plain-text']);
  expect(found.map(({ pointer }) => pointer)).toEqual([`/${key}/a/args/1`, `/${key}/a/env/DB_PASSWORD`]);
  for (const { message } of found) expect(message).toContain(`write ${reference}`);
});

test('JSON with comments is read in time, and only where VS Code reads it', async () => {
  const many = '/**/\n'.repeat(200_000);
  expect(await findingsOf(`--- .vscode/mcp.json\n${many}{ "servers": {} }`)).toEqual([]);
  const [found] = await findingsOf(`--- .mcp.json\n// a\n{ "mcpServers": {} }`);
  expect(found?.code).toBe('json-comment');
});

test('lists lie in the project folder, wherever the config folder is', async () => {
  const [found] = await findingsOf(`--- agentstack.json\n{ "config_dir": "a/b" }\n--- .mcp.json\n{ "servers": {} }`, ['foreign-name']);
  expect(found?.file).toBe('.mcp.json');
});
