import type { OpenedFile } from '../ports.js';
import { trimEnd } from '../words.js';

/*
 * The names come from the manuals of the programs mentioned, GitHub's gitignore templates (github/gitignore), and the signatures of
 * secret scanners for file names (michenriksen/gitrob, gitleaks/gitleaks).
 */

/**
 * Whether a file's name says that it holds keys or passwords. No tool reads such files. Letter case, look-alike widths, endings of copies
 * (`.bak`, `~`) and the dots and spaces that Windows drops do not hide a name.
 *
 * @param path relative to the project, separated by `/`
 */
export function isSecretFile(path: string): boolean {
  const segments = path.normalize('NFKC').toLowerCase().split('/').map(withoutDroppedEnd);
  const name = segments.at(-1) ?? '';
  const folders = segments.slice(0, -1);
  const names = [name, withoutCopyEnd(name)];
  if (names.some((name) => secretNames.some((pattern) => pattern.test(name)))) return true;
  if (folders.some((folder) => secretFolders.has(folder))) return true;
  // Programs and texts mention secrets more often than they contain one.
  if (isSource(name)) return false;
  return folders.some((folder) => folderWord.test(folder)) || names.some((name) => dataWords.some((pattern) => pattern.test(name)));
}

/** Why a file is not read for a model or an import; undefined when it may be. @param path relative to the project */
export function refusal(path: string): string | undefined {
  const closed = path.split('/').find(isClosedFolder);
  if (closed !== undefined) return `${path} is in ${closed}, which tools do not read.`;
  return isSecretFile(path) ? `${path} may hold keys or passwords, so tools do not read it.` : undefined;
}

/** Like `refusal`, for a file that was opened by a path: links may lead to it, or it may have unknown names. */
export function refusalOfOpened(path: string, opened: OpenedFile): string | undefined {
  const refused = opened.path === path ? undefined : refusal(opened.path);
  if (refused !== undefined) return `${path} is a link. ${refused}`;
  if (opened.names <= 1) return undefined;
  return `${path} has ${opened.names} names (hard links), and another one may be that of a secret, so tools do not read it. A copy can be read.`;
}

/** Whether a name is that of a folder of version control or of the project's own records, which no tool may read. */
export function isClosedFolder(name: string): boolean {
  return closedFolders.has(withoutDroppedEnd(name.normalize('NFKC').toLowerCase()));
}

/** Windows opens `.env` for `.env. `, and for `.env::$DATA`. */
function withoutDroppedEnd(segment: string): string {
  return trimEnd(segment.split(':', 1)[0] ?? '', '. ');
}

/** The name of the file that a copy was made of: `id_rsa` of `id_rsa.bak`, `.env` of `..env.swp`. */
function withoutCopyEnd(name: string): string {
  let whole = name;
  for (let end = copyEnd.exec(whole); end !== null; end = copyEnd.exec(whole)) {
    whole = whole.slice(0, end.index);
    // Editors hide their swap files.
    if (end[0].startsWith('.sw') && whole.startsWith('.')) whole = whole.slice(1);
  }
  return whole;
}

const copyEnd = /(?:~|#|\.(?:bak|backup|copy|new|old|orig|original|save|saved|sw[a-p]|tmp|\d{1,14}))$/;

function isSource(name: string): boolean {
  return sources.has(/\.([a-z0-9]+)$/.exec(name)?.[1] ?? '');
}

const sources: ReadonlySet<string> = new Set(
  `adoc astro bicep c cc clj cpp cs css cts cxx dart erl ex exs fs go graphql groovy h hpp hs htm html ipynb java jl js jsx kt kts less lua m
   markdown md mdx mjs cjs ml mts nim php pl pm proto ps1 py pyi r rb rs rst sass scala scss sol sql svelte swift tex tf ts tsx vb vue zig`.split(
    /\s+/,
  ),
);

/** Version control keeps remotes with passwords in them, and every earlier content; `.agentstack` the inputs and results of runs. */
const closedFolders: ReadonlySet<string> = new Set(['.agentstack', '.bzr', '.git', '.hg', '.jj', '.svn', 'cvs']);

/** Each from the documentation of the program that stores its logins there. */
const secretFolders: ReadonlySet<string> = new Set([
  '.aws', // AWS command line: "Configuration and credential file settings"
  '.azure', // Azure command line: msal_token_cache.json
  '.chef', // Chef: knife.rb and client keys
  '.credentials',
  '.docker', // docker login: config.json
  '.gcloud', // Google Cloud command line
  'gcloud', // the same, in .config
  '.gnupg', // GnuPG: private-keys-v1.d
  '.heroku',
  '.kube', // kubectl: "Organizing Cluster Access Using kubeconfig Files"
  '.minikube', // client keys of its cluster
  '.oci', // Oracle Cloud command line
  '.password-store', // pass
  '.pulumi', // Pulumi: credentials.json
  '.secrets',
  '.ssh', // ssh(1), section FILES
  '.terraform.d', // Terraform: credentials.tfrc.json
]);

/** Folders named after the secrets in them. */
const folderWord = /^(?:secrets?|credentials?|private[-_]?keys?)$/;

/** Words in the name of a file that is neither a program nor prose. Signatures of gitrob and gitleaks, extended. */
const dataWords: readonly RegExp[] = [
  /(?:secret|credential|password|passphrase|token)s?(?:$|[._\- ])/,
  /^(?:master\.)?(?:passwd|shadow|gshadow)$/,
  /(?:api|access|private|secret|service|signing|encryption|license|deploy|root|master)[._\- ]?keys?(?:$|[._\- ])/,
  /(?:service|svc)[._\- ]?acc(?:oun)?t.*\.json$/,
  /service[._\- ]?key.*\.json$/,
  /firebase-adminsdk.*\.json$/,
  /kubeconfig/,
  /vault[._\- ]?(?:pass|password|token)?\.(?:ya?ml|txt|json)$/,
  /connection[._\- ]?strings?\.(?:config|json|ya?ml|txt)$/,
];

/** Names that identify secrets, whatever their ending. */
const secretNames: readonly RegExp[] = [
  // Environment files: dotenv, direnv, Wrangler.
  /^\.env(?:$|[.\-_ ~])/,
  /\.env$/,
  /^\.envrc/,
  /^\.(?:flask|dev)[._]?(?:env|vars)/,
  // Files named after the secrets in them, as in GitHub's gitignore templates.
  /^\.?(?:secrets?|credentials?|passwords?)(?:\.(?:json|jsonc|ya?ml|toml|ini|txt|xml|csv|properties|conf|cfg|db|enc))*$/,
  // Programs that contain nothing but secrets: CircuitPython, Arduino.
  /^(?:arduino_)?secrets\.(?:py|h|sh|rb|php)$/,
  /^secret_token\.rb$/,
  /^client_secret.*\.json$/,
  /^application_default_credentials.*\.json$/,
  // Keys, key stores and password safes, by ending.
  /\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|pvk|snk|jks|jceks|bks|keystore|truststore|keyring|keytab|kdbx?|agekey|asc|gpg|jwk|keychain|keychain-db)$/,
  /\.(?:agilekeychain|opvault|1pif|1pux|psafe3|kwallet|ovpn|tblk|mobileprovision|tfvars|tfstate)$/,
  /\.tf(?:vars|state)\./,
  /^(?:wg\d+|rclone|rclone-.*)\.conf$/,
  /^krb5cc/,
  // Keys of ssh; the public half ends in .pub.
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?!.*\.pub$)/,
  /_(?:rsa|dsa|ecdsa|ed25519)$/,
  /^ssh_host_.*_key$/,
  // Logins that programs keep in a home folder, as the manual of each says.
  /^[._](?:npmrc|yarnrc|pypirc|netrc|git-credentials|htpasswd|htdigest|pgpass|my\.cnf|mylogin\.cnf|dockercfg|dockerconfigjson|boto|s3cfg)(?:$|[._~-])/,
  /^\.(?:authinfo|vault-token|vault[-_]pass|gitconfig|hgrc|curlrc|wgetrc|msmtprc|muttrc|fetchmailrc|offlineimaprc|terraformrc|tugboat|rclone\.conf)(?:$|[._~-])/,
  /^\.?(?:pip\.conf|pip\.ini|pg_service\.conf|pgpass\.conf|terraform\.rc|nuget\.config|settings-security\.xml)$/,
  /^(?:auth\.json|hosts\.yml|local\.settings\.json|gradle\.properties|keystore\.properties|key\.properties|signing\.properties)$/,
  // Logins that web frameworks and servers keep in the project: gitrob's signatures.
  /^(?:database|mongoid|cable)\.ya?ml$/,
  /^(?:wp-config.*|localsettings)\.php$/,
  /^(?:rootkey|.*accesskeys)\.csv$/,
  /^(?:admin|super-admin|kubelet|controller-manager|scheduler)\.conf$/,
  /^(?:sftp|sftp-config|\.ftpconfig|\.ftppass|\.remote-sync)(?:\.json)?$/,
  /^(?:filezilla|sitemanager|recentservers|\.dbeaver-data-sources)\.xml$/,
  /^(?:robomongo|dbeaver-credentials)(?:-config)?\.json$/,
  /^(?:proftpdpasswd|otr\.private_key)$/,
  // Input typed at a prompt, which may include passwords.
  /^\.(?:[a-z0-9_]+_)?history$/,
  /^(?:consolehost|fish)_history(?:\.txt)?$/,
  /^\.(?:lesshst|viminfo|dbshell|mongorc\.js)$/,
  // Short names that Windows gives to files that begin with a dot, such as ENV~1.
  /^[a-z_]{1,6}~\d$/,
];
