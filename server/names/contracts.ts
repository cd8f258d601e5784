import { findAgent } from '../../core/config/agentReference.js';
import type { ConfigFile } from '../../core/config/configFile.js';
import type { TaskPart } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { findField } from '../../core/rules/facts/agentContract.js';
import { findSetting, type Layers, layersOf } from '../../core/rules/facts/layers.js';
import { taskLayersOf } from '../../core/rules/facts/taskLayers.js';
import type { RuleContext } from '../../core/rules/rule.js';
import { fieldsOf, type SchemaFields } from './schemaFields.js';

/** The output schema of an agent, and where it is written. */
export interface Contract {
  readonly file: string;
  /** Pointer of the output schema. */
  readonly pointer: string;
  readonly fields: SchemaFields;
}

/** The place that says which keys a payload must have. */
export interface InputPlace {
  readonly file: string;
  /** Pointer of the object that holds `input_keys` or `input_schema`. */
  readonly at: string;
}

/** The contracts and inputs that a file refers to, each looked up once. */
export class Contracts {
  private readonly context: RuleContext;
  private readonly byPlace = new Map<string, Contract>();
  private readonly byAgent = new Map<string, Contract | undefined>();
  private readonly inputs = new Map<string, InputPlace | undefined>();

  constructor(context: RuleContext) {
    this.context = context;
  }

  /** Written right here. */
  at(file: string, pointer: string, schema: Json | undefined): Contract | undefined {
    if (!isObject(schema)) return undefined;
    const key = `${file}#${pointer}`;
    let contract = this.byPlace.get(key);
    if (contract === undefined) {
      contract = { file, pointer, fields: fieldsOf(schema) };
      this.byPlace.set(key, contract);
    }
    return contract;
  }

  /** The contract of an agent or persona file, inherited or its own. */
  ofFile(file: ConfigFile): Contract | undefined {
    const field = findField(file, this.context, 'output_schema');
    return field && this.at(field.file, field.pointer, field.value);
  }

  /** The contract of `A2@v1`, or of the newest `A2`. */
  ofAgent(reference: Json | undefined): Contract | undefined {
    if (typeof reference !== 'string') return undefined;
    if (!this.byAgent.has(reference)) {
      const file = this.agentFile(reference);
      this.byAgent.set(reference, file && this.ofFile(file));
    }
    return this.byAgent.get(reference);
  }

  ofTask(file: ConfigFile, task: TaskPart): Contract | undefined {
    const ownSchema = isObject(task.value.config) ? task.value.config.output_schema : undefined;
    if (isObject(ownSchema)) return this.at(file.path, `${task.pointer}/config/output_schema`, ownSchema);
    const layers = taskLayersOf(file, task, this.context);
    const schema = layers && findSetting(layers, 'output_schema');
    return schema?.fragment.file == null ? undefined : this.at(schema.fragment.file, schema.pointer, schema.value);
  }

  /** The place that says which keys the payload of an agent or persona file must have; the file itself if nothing does. */
  inputOf(file: ConfigFile): InputPlace {
    const ownPlace = { file: file.path, at: '' };
    if (isObject(file.value) && inputFields.some((name) => isWritten(file.value as JsonObject, name))) return ownPlace;
    const layers = file.identity.kind === 'agent' ? layersOf(file, this.context) : undefined;
    return (layers && givenInput(layers)) ?? ownPlace;
  }

  inputOfAgent(reference: Json | undefined): InputPlace | undefined {
    if (typeof reference !== 'string') return undefined;
    if (!this.inputs.has(reference)) {
      const file = this.agentFile(reference);
      this.inputs.set(reference, file && this.inputOf(file));
    }
    return this.inputs.get(reference);
  }

  inputOfTask(file: ConfigFile, task: TaskPart): InputPlace | undefined {
    const { config } = task.value;
    if (isObject(config) && inputFields.some((name) => isWritten(config, name))) return { file: file.path, at: `${task.pointer}/config` };
    if (task.value.agent !== undefined) return this.inputOfAgent(task.value.agent);
    const { persona_key: persona } = task.value;
    const path = typeof persona === 'string' ? this.context.project.ids('persona').get(persona) : undefined;
    if (path === undefined) return undefined;
    const layers = taskLayersOf(file, task, this.context);
    return (layers && givenInput(layers)) ?? { file: path, at: '' };
  }

  private agentFile(reference: string): ConfigFile | undefined {
    const target = findAgent(this.context.project, reference);
    return target && this.context.agent(target.name, target.version);
  }
}

const inputFields = ['input_keys', 'input_schema'];

function isWritten(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== null;
}

function givenInput(layers: Pick<Layers, 'fragments'>): InputPlace | undefined {
  const fragment = (findSetting(layers, 'input_keys') ?? findSetting(layers, 'input_schema'))?.fragment;
  return fragment?.file == null ? undefined : { file: fragment.file, at: fragment.pointer };
}
