import { describe, expect, test } from 'vitest';
import { isClosedFolder, isSecretFile } from '../../core/secrets/secretFiles.js';

describe('a file that may hold keys or passwords', () => {
  test.each([
    ['environments', '.env .env.local .env-prod .env~ prod.env .envrc .flaskenv .dev.vars ENV~1'],
    [
      'what it is named for',
      'secrets.yaml secret credentials.csv passwords.txt .secrets.toml secrets.py arduino_secrets.h credentials.yml.enc',
    ],
    [
      'words',
      'app.secrets.json values.secret.yaml db-password.txt github_token slack.token api-token.yml accessToken.json my-credentials.ini',
    ],
    ['keys by word', 'gcp-service-key.json apiKeys.json private_key.txt aws-access-key.csv serviceAccount.json firebase-adminsdk-x1.json'],
    ['keys by ending', 'server.pem tls.key store.jks vpn.ovpn prod.tfstate.backup terraform.tfvars.json AuthKey_1.p8 box.kdbx me.keytab'],
    ['ssh', 'id_rsa id_ed25519_sk id_rsa.bak id_rsa.old.1 deploy_rsa ssh_host_rsa_key .id_rsa.swp'],
    ['Kubernetes', 'kubeconfig kubeconfig.yaml prod.kubeconfig admin.conf'],
    [
      'logins',
      '.npmrc .netrc _netrc .pypirc .git-credentials .gitconfig .pgpass .authinfo.gpg .vault-token auth.json pip.conf rclone.conf',
    ],
    ['frameworks', 'database.yml wp-config.php wp-config.php.bak master.key local.settings.json rootkey.csv sftp-config.json'],
    ['histories', '.bash_history .zsh_history .python_history .psql_history .history ConsoleHost_history.txt .viminfo'],
    ['system', 'passwd shadow krb5cc_1000'],
    [
      'folders',
      '.ssh/known_hosts .aws/config home/.kube/config secrets/db.txt k8s/secrets/prod.json .docker/config.json .config/gcloud/x.db',
    ],
    ['written otherwise', '.ENV ．env .env. SECRETS/a.txt ID_RSA .env::$DATA'],
  ])('%s', (_name, names) => {
    expect(names.split(' ').filter((name) => !isSecretFile(`a/${name}`))).toEqual([]);
  });

  test('an ordinary one is none', () => {
    const names = `core/secrets/secretPatterns.ts docs/keys.md environment.json docs/secrets-explained.md keyboard.ts tokenizer.json
      src/tokens.ts lib/password.py HISTORY history.md config/agents/A/v1.json package.json id_rsa.pub server.crt box-shadow.json
      docker-compose.yml .github/workflows/ci.yml secretary.txt settings.py config/database.ts .terraform.lock.hcl translation_keys.json
      README CODEOWNERS .gitignore .editorconfig`;
    expect(names.split(/\s+/).filter(isSecretFile)).toEqual([]);
  });

  test('a very long name costs no time', () => {
    const begun = performance.now();
    for (const part of ['svcaccount', 'service key', '.json', 'secret.json.', '~', '.bak', '.1']) isSecretFile(part.repeat(800));
    expect(performance.now() - begun).toBeLessThan(15_000);
  });
});

test('folders that no tool reads from', () => {
  for (const name of ['.git', '.HG', '.svn', '.agentstack', '.jj', '.git.']) expect(isClosedFolder(name)).toBe(true);
  for (const name of ['git', '.github', 'hg']) expect(isClosedFolder(name)).toBe(false);
});
