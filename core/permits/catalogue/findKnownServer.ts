import { type JsonObject, listOf } from '../../json.js';
import type { CatalogueEntry } from './entry.js';
import { knownServers } from './index.js';

/**
 * Which well-known server an entry of mcp.json starts or reaches: by the package or image that `npx`, `uvx`, `docker run` and the like run, or by
 * the host of its address. Undefined where that is not certain: a program of the PATH, an option that is not known here, a variable.
 */
export function findKnownServer({ command, args, url }: JsonObject): CatalogueEntry | undefined {
  if (typeof url === 'string') return command === undefined ? atAddress(url) : undefined;
  if (typeof command !== 'string') return undefined;
  const words = listOf(args);
  return words.every((word) => typeof word === 'string') ? startedBy(programOf(command), words) : undefined;
}

function startedBy(program: string, args: readonly string[]): CatalogueEntry | undefined {
  const [first = '', second, ...others] = args;
  const rest = args.slice(1);
  switch (program) {
    case 'cmd':
      return first.toLowerCase() === '/c' && second !== undefined ? startedBy(programOf(second), others) : undefined;
    case 'npx':
    case 'pnpx':
    case 'bunx':
      return ofNpm(args);
    case 'npm':
      return first === 'exec' || first === 'x' ? ofNpm(rest) : undefined;
    case 'pnpm':
    case 'yarn':
      return first === 'dlx' ? ofNpm(rest) : undefined;
    case 'bun':
      return first === 'x' ? ofNpm(rest) : undefined;
    case 'uvx':
      return ofPython(args);
    case 'uv':
      return first === 'tool' && second === 'run' ? ofPython(others) : undefined;
    case 'pipx':
      return first === 'run' ? ofPython(rest) : undefined;
    case 'docker':
    case 'podman':
      return first === 'run' ? ofImage(rest) : undefined;
    case 'node':
      return byPackage(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(`/${first.replaceAll('\\', '/')}`)?.[1]);
    default:
      return undefined;
  }
}

/** `C:\nodejs\npx.cmd` is npx. */
function programOf(command: string): string {
  const name = command.split(/[/\\]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.(cmd|exe)$/, '');
}

function ofNpm(args: readonly string[]): CatalogueEntry | undefined {
  const [spec = '', address = ''] = targetOf(args, npm) ?? [];
  const name = /^((?:@[^/@]+\/)?[^/@:]+)(?:@[^/:]*)?$/.exec(spec)?.[1];
  return name === 'mcp-remote' ? atAddress(address) : byPackage(name);
}

function ofPython(args: readonly string[]): CatalogueEntry | undefined {
  const [spec = ''] = targetOf(args, python) ?? [];
  if (spec.startsWith('git+')) return byPackage(spec.replace(/@[^@/]*$/, '').replace(/\.git$/, ''));
  const name = /^([\w.-]+?)(?:\[[\w,-]*\])?(?:[@=<>~!][^:/]*)?$/.exec(spec)?.[1];
  return byPackage(name && `pypi:${normalName(name)}`);
}

function ofImage(args: readonly string[]): CatalogueEntry | undefined {
  const [image = ''] = targetOf(args, container) ?? [];
  return byPackage(image.replace(/^docker\.io\//, '').replace(/(:[^/:@]*)?(@sha256:.*)?$/, ''));
}

interface Options {
  /** Without a value. */
  readonly flags: readonly string[];
  /** With a value that does not decide what runs. */
  readonly values: readonly string[];
  /** Whose value is what runs. */
  readonly chooses: readonly string[];
}

const options = (flags: string, values: string, chooses: string): Options => ({
  flags: flags.split(' '),
  values: values.split(' '),
  chooses: chooses.split(' '),
});
const npm = options('-y --yes -q --quiet --silent --prefer-online --prefer-offline --bun --', '', '-p --package');
const python = options(
  '-q --quiet -n --no-cache --isolated --refresh -U --upgrade --offline --',
  '-p --python --prerelease --with',
  '--from --spec',
);
const container = options(
  '-i -t -d -it -ti -id --interactive --tty --detach --rm --init --read-only --privileged',
  `-e -v -p -u -w -l -m -h --env --env-file --volume --mount --publish --user --workdir --label --memory --hostname --name --net --network
    --platform --pull --cpus --add-host --cap-add --cap-drop --security-opt --tmpfs --restart --shm-size`.replace(/\s+/g, ' '),
  '',
);

/** What runs, and what it is given; undefined where an option is not known. */
function targetOf(args: readonly string[], { flags, values, chooses }: Options): readonly string[] | undefined {
  let chosen: string | undefined;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? '';
    if (!word.startsWith('-')) return chosen === undefined ? args.slice(index) : [chosen, ...args.slice(index + 1)];
    if (flags.includes(word)) continue;
    const [, option = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const value = attached ?? args[++index];
    if (chooses.includes(option) && chosen === undefined) chosen = value;
    else if (!values.includes(option)) return undefined;
  }
  return undefined;
}

function atAddress(address: string): CatalogueEntry | undefined {
  const { protocol, host } = URL.canParse(address) ? new URL(address) : { protocol: '', host: '' };
  return protocol === 'https:' ? knownServers.find(({ hosts }) => hosts.includes(host)) : undefined;
}

function byPackage(name: string | undefined): CatalogueEntry | undefined {
  return name === undefined ? undefined : knownServers.find(({ packages }) => packages.includes(name));
}

/** PyPI reads `awslabs.aws_api` as `awslabs-aws-api`. */
function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
