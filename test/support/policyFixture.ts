const entry = (name: string, labels: string) =>
  `      ${JSON.stringify(name)}: { "description": "d", "parameters": {}, "hash": "${'0'.repeat(64)}"${labels === '' ? '' : `, "labels": ${labels}`} }`;

/** mcp.json and its lock as sections of a fixture: labels by `server/tool` as JSON, an empty text for an unlabelled tool. */
export function serverSections(labels: Readonly<Record<string, string>>, unlisted: readonly string[] = []): string {
  const listed = [...new Set(Object.keys(labels).map((id) => id.split('/')[0]!))];
  const servers = [...listed, ...unlisted].map((id) => `"${id}": { "command": "run-${id}" }`);
  const locks = listed.map((id) => {
    const tools = Object.entries(labels).filter(([name]) => name.startsWith(`${id}/`));
    return `    "${id}": { "tools": {\n${tools.map(([name, does]) => entry(name.slice(id.length + 1), does)).join(',\n')}\n    } }`;
  });
  return `--- config/mcp.json\n{ "servers": { ${servers.join(', ')} } }\n--- config/mcp.lock.json\n{\n  "format": 1,\n  "servers": {\n${locks.join(',\n')}\n  }\n}`;
}

/** Where strangers write, what sends, what does neither, and what nobody has labelled. */
export const someServers = serverSections({
  'github/search': '{ "reads": "private", "untrusted": true }',
  'mail/send': '{ "sends": true, "changes": true }',
  'mail/forward': '{ "sends": true }',
  'mail/count': '{}',
  'mail/odd': '',
});

export function agentSection(name: string, fields: string): string {
  return `--- config/agents/${name}/v1.json\n{ "agent_name": "${name}", "version": "v1", ${fields} }`;
}

export function policySection(policy: string, path = 'config/system.json'): string {
  return `--- ${path}\n{ "policy": ${policy} }`;
}
