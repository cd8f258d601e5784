import type { Finding, Severity } from '../finding.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { namePattern } from './kinds.js';
import { parseJson } from './parseConfigFile.js';
import type { ProjectSettings, UserModel } from './projectSettings.js';

/** Where the settings of a project are, relative to it. */
export const settingsPath = 'agentstack.json';

export const defaultSettings: ProjectSettings = Object.freeze({ config_dir: 'config', environment: 'dev', rules: {}, models: {} });

const severities: readonly (Severity | 'off')[] = ['off', 'hint', 'info', 'warning', 'error'];

/**
 * The settings a text gives, with defaults for what it lacks or gets wrong; each mistake is a finding of the file itself. Rule codes are
 * only checked for being strings with a severity: which codes there are, the rules know.
 */
export function parseSettings(text: string): { readonly settings: ProjectSettings; readonly findings: readonly Finding[] } {
  const { value, syntax } = parseJson(text);
  const findings: Finding[] = syntax.map(({ code, message, range, pointer }) => ({
    code,
    severity: 'error',
    message,
    file: settingsPath,
    pointer,
    range,
  }));
  if (value === undefined) return { settings: defaultSettings, findings };
  const reader = new SettingsReader(findings);
  return { settings: reader.settings(value), findings };
}

class SettingsReader {
  private readonly findings: Finding[];

  constructor(findings: Finding[]) {
    this.findings = findings;
  }

  settings(value: Json): ProjectSettings {
    if (!isObject(value)) {
      this.report('', 'type', 'agentstack.json must be an object, such as {"config_dir": "config"}.');
      return defaultSettings;
    }
    const known = ['$schema', 'config_dir', 'environment', 'rules', 'models'];
    this.unknownKeys(value, '', known);
    return {
      config_dir: this.configDir(own(value, 'config_dir')) ?? defaultSettings.config_dir,
      environment: this.environment(own(value, 'environment')) ?? defaultSettings.environment,
      rules: this.rules(own(value, 'rules')),
      models: this.models(own(value, 'models')),
    };
  }

  private configDir(value: Json | undefined): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string')
      return this.report('/config_dir', 'type', '"config_dir" must be a text: a folder inside the project. "config" is used.');
    const segments = value.split('/').filter((segment) => segment !== '' && segment !== '.');
    const leaves = value.startsWith('/') || segments.includes('..') || /[\\:\0]/.test(value);
    if (leaves)
      return this.report(
        '/config_dir',
        'pattern',
        `"config_dir" must be a folder inside the project, written with /, without "..". "config" is used.`,
      );
    return segments.join('/') || '.';
  }

  private environment(value: Json | undefined): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && namePattern.test(value)) return value;
    return this.report(
      '/environment',
      'pattern',
      '"environment" must be a name: letters, digits, ".", "_" and "-", at most 64. "dev" is used.',
    );
  }

  private rules(value: Json | undefined): ProjectSettings['rules'] {
    const rules: [string, Severity | 'off'][] = [];
    for (const [code, severity] of this.entries(value, 'rules')) {
      if (severities.includes(severity as Severity)) rules.push([code, severity as Severity]);
      else
        this.report(
          pointerOf('rules', code),
          'enum',
          `The severity must be one of ${severities.join(', ')}.${didYouMean(nearestNames(String(severity), severities))}`,
        );
    }
    return Object.fromEntries(rules);
  }

  private models(value: Json | undefined): ProjectSettings['models'] {
    const models: [string, UserModel][] = [];
    for (const [name, model] of this.entries(value, 'models')) {
      if (isObject(model)) models.push([name, this.model(model, pointerOf('models', name))]);
      else this.report(pointerOf('models', name), 'type', 'A model must be an object, such as {"context_window": 128000}.');
    }
    return Object.fromEntries(models);
  }

  private model(value: JsonObject, at: string): UserModel {
    const { unsupported, deprecated, price } = value;
    this.unknownKeys(value, at, ['context_window', 'max_output_tokens', 'unsupported', 'deprecated', 'price']);
    const contextWindow = this.amount(own(value, 'context_window'), `${at}/context_window`, isCount);
    const maxOutput = this.amount(own(value, 'max_output_tokens'), `${at}/max_output_tokens`, isCount);
    const listed = Array.isArray(unsupported) && unsupported.every((name) => typeof name === 'string');
    if (unsupported !== undefined && !listed) this.report(`${at}/unsupported`, 'type', '"unsupported" must be a list of parameter names.');
    const says = typeof deprecated === 'string' || typeof deprecated === 'boolean';
    if (deprecated !== undefined && !says)
      this.report(`${at}/deprecated`, 'type', '"deprecated" must be true, false or a text that says why.');
    if (price !== undefined && !isObject(price))
      this.report(`${at}/price`, 'type', '"price" must be an object: {"input": ..., "output": ...} in USD per million tokens.');
    return {
      ...(contextWindow !== undefined && { context_window: contextWindow }),
      ...(maxOutput !== undefined && { max_output_tokens: maxOutput }),
      ...(listed && { unsupported: unsupported as readonly string[] }),
      ...(says && { deprecated }),
      ...(isObject(price) && { price: this.price(price, `${at}/price`) }),
    };
  }

  private price(value: JsonObject, at: string): NonNullable<UserModel['price']> {
    this.unknownKeys(value, at, ['input', 'output', 'cached_input']);
    const price: { input?: number; output?: number; cached_input?: number } = {};
    for (const name of ['input', 'output', 'cached_input'] as const) {
      const amount = this.amount(own(value, name), `${at}/${name}`, (given) => given >= 0);
      if (amount !== undefined) price[name] = amount;
    }
    return price;
  }

  private amount(value: Json | undefined, pointer: string, fits: (given: number) => boolean): number | undefined {
    if (value === undefined || (typeof value === 'number' && fits(value))) return value;
    return this.report(pointer, 'type', fits === isCount ? 'Must be a whole number above 0.' : 'Must be a number, 0 or more.');
  }

  private entries(value: Json | undefined, name: string): [string, Json][] {
    if (value === undefined) return [];
    if (isObject(value)) return Object.entries(value);
    this.report(pointerOf(name), 'type', `"${name}" must be an object.`);
    return [];
  }

  private unknownKeys(value: JsonObject, at: string, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const message = `Nobody reads ${JSON.stringify(key)} here.${didYouMean(nearestNames(key, known))}`;
      this.findings.push({
        code: 'unknown-property',
        severity: 'warning',
        message,
        file: settingsPath,
        pointer: at + pointerOf(key),
        target: 'key',
      });
    }
  }

  private report(pointer: string, keyword: string, message: string): undefined {
    this.findings.push({ code: 'schema', severity: 'error', message, file: settingsPath, pointer, data: { keyword } });
  }
}

function own(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}
