import { trimEnd } from '../../trimEnd.js';

/**
 * Whether a file's name says that it holds keys or passwords: `.env` and its like, private keys, key stores, stored logins. No tool
 * reads such files. Letter case, look-alike widths and the dots and spaces that Windows drops do not hide a name.
 *
 * @param path relative to the project, separated by `/`
 */
export function isSecretFile(path: string): boolean {
  const segments = path.normalize('NFKC').toLowerCase().split('/').map(withoutDroppedEnd);
  const name = segments.at(-1) ?? '';
  return files.some((pattern) => pattern.test(name)) || segments.slice(0, -1).some((folder) => folders.has(folder));
}

/** Windows opens `.env` for `.env. `, and for `.env::$DATA`. */
function withoutDroppedEnd(segment: string): string {
  return trimEnd(segment.split(':', 1)[0] ?? '', '. ');
}

const folders: ReadonlySet<string> = new Set(['.aws', '.azure', '.docker', '.gcloud', '.gnupg', '.kube', '.ssh']);

const files: readonly RegExp[] = [
  /^\.env(?:$|[.\-_ ~])/,
  /\.env$/,
  /^\.?(?:secrets?|credentials?|passwords?)(?:\.(?:json|jsonc|ya?ml|toml|ini|txt|xml|csv|properties|conf|cfg|db))?$/,
  /^(?:client_secret|service[-_]?account|application_default_credentials).*\.json$/,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx?|asc|gpg|ovpn|tfvars|tfstate)$/,
  /\.tf(?:vars|state)\./,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^[._](?:npmrc|yarnrc|pypirc|netrc|git-credentials|htpasswd|pgpass|my\.cnf|dockercfg|boto|s3cfg)(?:$|[._~-])/,
  // Short names that Windows gives to files that begin with a dot, such as ENV~1.
  /^[a-z_]{1,6}~\d$/,
];
