import { describe, expect, test } from 'vitest';
import { isDay } from '../../core/day.js';
import { findKnownServer } from '../../core/permits/catalogue/findKnownServer.js';
import { knownServers } from '../../core/permits/catalogue/index.js';

/** `npx -y pkg` or `https://host/path`, as an entry of mcp.json. */
function entryOf(line: string) {
  const [command = '', ...args] = line.split(' ');
  return command.startsWith('http') ? { type: 'http', url: command } : { command, args };
}

describe('recognises', () => {
  // Entries of public repositories.
  test.each([
    ['npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop', 'Filesystem'],
    ['docker run -i --rm --mount type=bind,src=/home/me,dst=/projects/me mcp/filesystem /projects', 'Filesystem'],
    ['cmd /c npx -y @modelcontextprotocol/server-memory', 'Memory'],
    ['C:\\nodejs\\npx.cmd -y @modelcontextprotocol/server-sequential-thinking', 'Sequential Thinking'],
    ['uvx mcp-server-time --local-timezone=America/New_York', 'Time'],
    ['uv tool run mcp-server-fetch', 'Fetch'],
    ['pipx run mcp-server-git --repository .', 'Git'],
    ['docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server', 'GitHub'],
    ['docker run -it --rm --env-file=.env ghcr.io/github/github-mcp-server:v0.20.1@sha256:0123 stdio', 'GitHub'],
    ['https://api.githubcopilot.com/mcp/x/issues/readonly', 'GitHub'],
    ['npx @playwright/mcp@latest --headless', 'Playwright'],
    ['pnpm dlx chrome-devtools-mcp@0.6.0', 'Chrome DevTools'],
    ['bunx @upstash/context7-mcp', 'Context7'],
    ['node /app/node_modules/@upstash/context7-mcp/dist/index.js', 'Context7'],
    ['npx -y mcp-remote https://mcp.notion.com/mcp', 'Notion'],
    ['npx --package=@sentry/mcp-server sentry-mcp', 'Sentry'],
    ['uvx --from git+https://github.com/oraios/serena.git@v1.0 serena start-mcp-server --context ide', 'Serena'],
    ['uvx awslabs.aws_documentation_mcp_server==1.1.0', 'AWS Documentation'],
    ['uvx --python 3.13 markitdown-mcp[all]@latest', 'MarkItDown'],
    ['podman run -i docker.io/mcp/postgres postgresql://host/db', 'PostgreSQL'],
  ])('%s', (line, title) => {
    expect(findKnownServer(entryOf(line))?.title).toBe(title);
  });

  test('every package, image and host of the catalogue, each as one server', () => {
    for (const { title, packages, hosts } of knownServers) {
      for (const name of packages) expect.soft(findKnownServer(entryOf(startOf(name)))?.title, name).toBe(title);
      for (const host of hosts) expect.soft(findKnownServer({ url: `https://${host}/mcp` })?.title, host).toBe(title);
    }
  });
});

function startOf(name: string): string {
  if (name.startsWith('pypi:')) return `uvx ${name.slice('pypi:'.length)}`;
  if (name.startsWith('git+')) return `uvx --from ${name} server`;
  return name.includes('/') && !name.startsWith('@') ? `docker run -i --rm ${name}` : `npx -y ${name}@latest`;
}

describe('does not know', () => {
  test.each([
    ['a fork under another scope', 'npx -y @someone/server-filesystem'],
    ['a fork of an image', 'docker run -i someone/github-mcp-server'],
    ['an image of another registry', 'docker run -i registry.example.com/mcp/filesystem'],
    ['a package of that name in another registry', 'npx -y mcp-server-fetch'],
    ['a package of npm started from PyPI', 'uvx tavily-mcp'],
    ['an alias', 'npx -y @playwright/mcp@npm:@someone/mcp'],
    ['a package at an address', 'uvx mcp-server-fetch@https://example.com/x.whl'],
    ['another registry', 'npx -y --registry=https://npm.example.com tavily-mcp'],
    ['another index', 'uvx --index-url https://pypi.example.com/simple mcp-server-fetch'],
    ['another program of the image', 'docker run -i --entrypoint sh mcp/filesystem'],
    ['two packages', 'npx -p @playwright/mcp -p other mcp'],
    ['a repository of the same name', 'uvx --from git+https://github.com/someone/serena serena'],
    ['a program of the PATH', 'github-mcp-server stdio'],
    ['a script', 'sh -c npx\t@playwright/mcp'],
    ['a file beside it', 'node dist/index.js'],
    ['a variable', 'npx -y ${PACKAGE}'],
    ['nothing that runs', 'npx -y'],
    ['a host within another', 'https://mcp.notion.com.example.com/mcp'],
    ['a user before the host', 'https://mcp.notion.com@example.com/mcp'],
    ['an address that anybody on the way may answer', 'http://mcp.notion.com/mcp'],
    ['no address', 'https://${HOST}/mcp'],
  ])('%s: %s', (_what, line) => {
    expect(findKnownServer(entryOf(line))).toBeUndefined();
  });

  test('an entry with an address and a program, or of another form', () => {
    const [url, command] = ['https://mcp.notion.com/mcp', 'npx'];
    expect(findKnownServer({ url, command, args: ['-y', '@playwright/mcp'] })).toBeUndefined();
    expect(findKnownServer({ command, args: ['-y', 1] })).toBeUndefined();
    expect(findKnownServer({ command, args: 'tavily-mcp' })).toBeUndefined();
    expect(findKnownServer({})).toBeUndefined();
  });
});

describe('the catalogue', () => {
  test('names each server, package and host once', () => {
    const names = knownServers.flatMap(({ title, packages, hosts }) => [title, ...packages, ...hosts]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(knownServers.filter(({ packages, hosts }) => packages.length + hosts.length === 0)).toEqual([]);
  });

  test('labels tools by names that MCP allows; what runs code sends and changes, and strangers write only in what is read', () => {
    for (const { title, tools } of knownServers) {
      expect(Object.keys(tools).length, title).toBeGreaterThan(0);
      for (const [name, { reads, untrusted, sends, changes, destroys, runs_code }] of Object.entries(tools)) {
        expect.soft(name, title).toMatch(/^[\w.-]{1,128}$/);
        expect.soft(untrusted === true && reads === undefined, `${title}/${name} reads`).toBe(false);
        expect.soft(destroys === true && changes !== true, `${title}/${name} changes`).toBe(false);
        expect.soft(runs_code === true && !(sends && changes), `${title}/${name} runs code`).toBe(false);
      }
    }
  });

  test('has a source for each server, and the day on which it was read', () => {
    for (const { title, source, read } of knownServers) {
      expect.soft(source, title).toMatch(/^https:\/\/[^\s`$]+$/);
      expect.soft(isDay(read), title).toBe(true);
    }
  });
});
