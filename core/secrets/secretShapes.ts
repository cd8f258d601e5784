/** What a kind of secret looks like. */
export interface SecretShape {
  /** For a message: `OpenAI API key`. */
  readonly name: string;
  /**
   * Global. The secret is its group `secret`, at the end of the match, or the whole match. Linear: it starts where no match
   * can be in progress, or repeats only what cannot fail afterwards. Written as `x{16}x*`, not `x{16,}`: V8 counts the latter with memory for every
   * character, which it lacks for millions.
   */
  readonly pattern: RegExp;
  /** Source of a regular expression for text in the longest word of every such secret, or just before it, also in JSON. Absent if there is none. */
  readonly sign?: string;
  /** The same for a word that may grow into such a secret. Default: `sign`. */
  readonly begins?: string;
  /** Whether a match is more than a placeholder or a word. Default: it is. */
  readonly accepts?: (secret: string) => boolean;
}

/** The shape of a secret that is a single word: the prefix `start` followed by `rest`. */
function word(name: string, start: string, rest: string, accepts?: SecretShape['accepts']): SecretShape {
  const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${start})${rest}`, 'g');
  return { name, pattern, sign: start, begins: `(?:^|[^A-Za-z0-9])(?:${start})`, ...(accepts && { accepts }) };
}

/** The beginning of the header line of a private key. */
export const privateKeyStart = '-----BEGIN ';

const passwordPlaceholder = /[${}<>[\]]|^(?:pass|password|passwd|pwd|pw|secret|token|key|\*+|x+|\.+|your.*)$/i;

/** Formats as their providers document them, or as secret scanners know them. If several match at one place, the first wins. */
export const secretShapes: readonly SecretShape[] = [
  {
    // A private key counts only with its content: a prompt may mention the header line. Header lines of encrypted keys are skipped. All its
    // lines belong to it, also in JSON inside of a text: full ones, and shorter ones only at its end, since words may follow one that was cut off.
    name: 'private key',
    pattern: new RegExp(
      [
        `${privateKeyStart}(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\s|\\\\{1,8}[nr]){0,200}`,
        '(?:[A-Za-z-]{1,40}: [^\\\\\\r\\n]{0,200}(?:[\\r\\n]|\\\\{1,8}[nr])(?:\\s|\\\\{1,8}[nr]){0,64}){0,4}',
        '(?=[a-z+/=]{0,64}[A-Z0-9])[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=]*',
        '(?:(?:\\s|\\\\{1,8}[nr]){1,64}[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=]*)*',
        '(?:(?:(?:\\s|\\\\{1,8}[nr]){1,64}[A-Za-z0-9+/=]{1,76}){1,2}(?=(?:\\s|\\\\{1,8}[nr]){0,64}(?:-----|["\']|$)))?',
      ].join(''),
      'g',
    ),
  },
  {
    name: 'password in a URL',
    begins: '://',
    pattern: /:\/\/[^\s/:@?#]{0,256}:(?<secret>[^\s/@?#]{1,256})@(?=[A-Za-z0-9[])/g,
    accepts: (password) => !passwordPlaceholder.test(password),
  },
  word('Anthropic API key', 'sk-ant-', '[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*', isKeyBody),
  word('OpenRouter API key', 'sk-or-', '[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*', isKeyBody),
  word('OpenAI API key', 'sk-', '[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*', isKeyBody),
  word('Google API key', 'AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9])'),
  word('Google OAuth token', 'ya29\\.|GOCSPX-', '[A-Za-z0-9_-]{24}[A-Za-z0-9_-]*', isKeyBody),
  word('GitHub token', 'gh[oprsu]_', '[A-Za-z0-9]{36}[A-Za-z0-9]*'),
  word('GitHub token', 'github_pat_', '[A-Za-z0-9_]{22}[A-Za-z0-9_]*', isKeyBody),
  word('GitLab token', 'glpat-', '[A-Za-z0-9_-]{20}[A-Za-z0-9_-]*', isKeyBody),
  // AWS's documentation uses keys with this ending.
  word('AWS access key id', 'A[KS]IA', '[A-Z0-9]{16}(?![A-Za-z0-9])', (key) => !key.endsWith('EXAMPLE')),
  word('Slack token', 'xox[abeoprs]-|xapp-', '[A-Za-z0-9-]{16}[A-Za-z0-9-]*', hasDigit),
  {
    name: 'Slack webhook',
    sign: 'hooks\\.slack',
    pattern: /hooks\.slack\.com\/services\/(?<secret>[A-Z0-9]{8,12}\/[A-Z0-9]{8,12}\/[A-Za-z0-9]{20,32})/g,
  },
  word('Hugging Face token', 'hf_', '[A-Za-z0-9]{30}[A-Za-z0-9]*'),
  word('Groq API key', 'gsk_', '[A-Za-z0-9]{40}[A-Za-z0-9]*'),
  word('xAI API key', 'xai-', '[A-Za-z0-9]{40}[A-Za-z0-9]*'),
  word('Perplexity API key', 'pplx-', '[A-Za-z0-9]{40}[A-Za-z0-9]*'),
  word('Replicate token', 'r8_', '[A-Za-z0-9]{37}(?![A-Za-z0-9])'),
  word('NVIDIA API key', 'nvapi-', '[A-Za-z0-9_-]{40}[A-Za-z0-9_-]*'),
  word('LangSmith key', 'lsv2_(?:pt|sk)_', '[a-f0-9]{32}_[a-f0-9]{10}'),
  word('Stripe key', '[rs]k_(?:live|test)_', '[A-Za-z0-9]{16}[A-Za-z0-9]*'),
  word('npm token', 'npm_', '[A-Za-z0-9]{36}(?![A-Za-z0-9])'),
  word('PyPI token', 'pypi-AgE', '[A-Za-z0-9_-]{32}[A-Za-z0-9_-]*'),
  word('SendGrid key', 'SG\\.', '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  word('Databricks token', 'dapi', '[a-f0-9]{32}(?![A-Za-z0-9])'),
  { name: 'Azure storage key', sign: 'ccount[Kk]ey=', pattern: /Account[Kk]ey=(?<secret>[A-Za-z0-9+/]{86}==)/g },
  { name: 'Azure API key', sign: 'JQQJ9', pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}(?![A-Za-z0-9])/g },
  {
    name: 'Azure client secret',
    sign: '[0-9]Q~',
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  {
    name: 'JSON Web Token',
    sign: 'eyJ',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12}[A-Za-z0-9_-]*\.eyJ[A-Za-z0-9_-]{6}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*/g,
  },
  {
    // Names of query parameters in which servers take keys; page tokens such as `page_token` are not keys.
    name: 'key in a URL',
    sign: '(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword|[Ss]ig|[Ss]ignature)=',
    pattern:
      /[?&](?:(?:(?:api|access|client|auth|subscription)[_-]?)?(?:key|token|secret)|password|sig|signature)=(?<secret>[A-Za-z0-9._~%+-]{16}[A-Za-z0-9._~%+-]*)/gi,
    accepts: isKeyBody,
  },
  {
    name: 'bearer token',
    sign: 'earer[\\s\\\\]',
    pattern: /\b[Bb]earer\s(?<secret>[A-Za-z0-9._~+/-]{16}[A-Za-z0-9._~+/-]*=*)/g,
    accepts: isKeyBody,
  },
  {
    name: 'password in an Authorization header',
    sign: 'Basic ',
    pattern: /^Basic (?<secret>[A-Za-z0-9+/]{16}[A-Za-z0-9+/]*={0,2})$/g,
    accepts: isKeyBody,
  },
];

const placeholder = /your|example|placeholder|redacted|changeme|goes.?here|key.?here|insert|x{6}|\.\.\.|0{8}/i;

/** Whether a text is a placeholder, as in an example: `your-key-here`. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

/** The body of a key does not consist of words: 16 unbroken characters with a digit or letters in mixed case, and not a placeholder. */
function isKeyBody(secret: string): boolean {
  if (isPlaceholder(secret)) return false;
  return (secret.match(/[A-Za-z0-9_]{16}[A-Za-z0-9_]*/g) ?? []).some((part) => /[0-9]|[a-z][A-Z]/.test(part));
}

function hasDigit(secret: string): boolean {
  return /[0-9]/.test(secret) && !isPlaceholder(secret);
}
