import { RETRY_DEFAULTS } from "../../../compiler/definition.js";
import { isOpen, isScalar, scalarOf } from "../../../compiler/types/field-type.js";
import type {
  AgentContext,
  AnyAgent,
  EdgeKind,
  FieldType,
  GraphDefinition,
  MergeKind,
  Node,
  NodeTable,
  RetryPolicy,
  RunValues,
  Settings,
  StateData,
  Tables,
  Write,
  WriteSpec,
} from "../contract/contract.js";
import { AgentError, DefinitionError, messageOf } from "../contract/errors.js";
import { createStateType, ROOM, type StateType } from "../values/state-type.js";
import { dataOf } from "../values/values.js";
import { contextOf, takesContext } from "./agent-context.js";
import { inputsByField } from "./by-field.js";
import { holdInputs } from "./hold.js";
import { isNested, isPure, pure } from "./marks.js";
import type { Owned } from "./owned.js";
import { prepareRoutes, type Routing, rankNodes } from "./routing.js";

export type Inputs = { readonly [param: string]: unknown };
export type AgentCall = (inputs: Inputs, context: AgentContext) => unknown;
export type Output = Required<WriteSpec>;

/** A node prepared for runs: names are indices, defaults are filled in, the agent is a function. */
export interface PreparedNode extends Routing {
  readonly index: number;
  readonly name: string;
  readonly call: AgentCall;
  readonly inputs: (state: StateData, run: RunValues) => Inputs;
  readonly prompt: ((inputs: Inputs, state: StateData) => string) | null;
  readonly compute: ((inputs: Inputs, tables: Tables) => unknown) | null;
  readonly tables: readonly string[];
  readonly outputs: readonly Output[];
  /**
   * The field of the only output, when a plain value may be written to it directly; empty without outputs. Null
   * otherwise, and for an agent that chooses.
   */
  readonly plainField: string | null;
  /** The `typeof` of a plain value that fits the field; null when all fit. */
  readonly plainKind: string | null;
  /** A list that it writes holds null where an item failed. */
  readonly hasGaps: boolean;
  readonly settings: Settings;
  readonly retry: Required<RetryPolicy>;
  /** 0 without a time-out. */
  readonly timeoutMs: number;
  readonly maxVisits: number;
}

/** An outcome with several targets at the same time. */
export interface PreparedSplit {
  readonly node: number;
  readonly edge: EdgeKind;
  readonly targets: readonly number[];
  readonly owned: Owned;
  readonly merge: { readonly [field: string]: MergeKind };
}

/**
 * A graph prepared for runs, once for all of them. It has no getters: V8 would store such an object as a hash table,
 * and every visit reads it.
 */
export interface Table {
  readonly definition: GraphDefinition<NodeTable, string>;
  readonly name: string;
  readonly entry: number;
  readonly nodes: readonly PreparedNode[];
  readonly splits: readonly PreparedSplit[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly State: StateType;
  /** Its states are copied for branches. Larger ones are inherited. */
  readonly isRoomy: boolean;
  /** A zero for each node. */
  readonly zeros: readonly number[];
  /** The types of the values that a caller gives; computed with the first run. */
  readonly given: () => readonly TypedField[];
  /** Computed when several nodes first wait for their turn. */
  readonly ranks: () => readonly number[];
}

export interface TypedField {
  readonly field: string;
  readonly type: FieldType;
}

const tables = new WeakMap<object, Table>();

/** The prepared graph. It is kept for later runs. */
export function tableOf(definition: GraphDefinition<NodeTable, string>): Table {
  const known = tables.get(definition);
  if (known !== undefined) return known;
  const table = prepare(definition);
  tables.set(definition, table);
  return table;
}

/** Prepares a graph. Cost: linear in its nodes and edges. */
function prepare(definition: GraphDefinition<NodeTable, string>): Table {
  const names = Object.keys(definition.nodes);
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const { name } = definition;
  const entry = indexOf.get(definition.entry);
  if (entry === undefined)
    throw new DefinitionError(`the entry "${definition.entry}" is no node of "${name}"`);
  const { routings, splits, children } = prepareRoutes(definition, names, indexOf);
  const calls = new Map<unknown, AgentCall>();
  const nodes = names.map((name, i) =>
    prepareNode(definition.nodes[name]!, { index: i, name, routing: routings[i]!, calls }),
  );
  const fields = [...new Set(nodes.flatMap(({ outputs }) => outputs.map(({ field }) => field)))];
  let ranks: readonly number[] | undefined;
  let given: readonly TypedField[] | undefined;
  return {
    definition,
    name,
    entry,
    nodes,
    splits,
    indexOf,
    State: createStateType(fields),
    isRoomy: fields.length <= ROOM,
    zeros: names.map(() => 0),
    given: () => {
      given ??= typedFields(definition);
      return given;
    },
    ranks: () => {
      ranks ??= rankNodes(entry, children());
      return ranks;
    },
  };
}

function typedFields({ inputs }: Table["definition"]): readonly TypedField[] {
  return Object.entries(inputsByField(inputs)).flatMap(([field, { types = [] }]) =>
    types.map((type) => ({ field, type })),
  );
}

interface Placed {
  readonly index: number;
  readonly name: string;
  readonly routing: Routing;
  /** The agents so far as functions. All nodes with the same class share one instance. */
  readonly calls: Map<unknown, AgentCall>;
}

function settingsOf(node: string, settings: object | undefined): Settings {
  if (settings === undefined) return NO_SETTINGS;
  const refuse = (what: string): never => {
    throw new DefinitionError(`the settings of "${node}" hold ${what}`);
  };
  return dataOf(settings, { refuse }) as Settings;
}

function prepareNode(
  node: Node<unknown, PropertyKey>,
  { index, name, routing, calls }: Placed,
): PreparedNode {
  const outputs = outputsOf(node);
  const call = calls.get(node.agent) ?? callOf(node.agent as AnyAgent);
  calls.set(node.agent, call);
  const plainField = routing.choices === null ? plainFieldOf(outputs) : null;
  return {
    index,
    name,
    call,
    inputs: holdInputs(node.inputs as PreparedNode["inputs"], node),
    prompt: (node.prompt as PreparedNode["prompt"] | undefined) ?? null,
    compute: (node.compute as PreparedNode["compute"] | undefined) ?? null,
    tables: node.tables === undefined ? NO_TABLES : [node.tables].flat(),
    outputs,
    plainField,
    plainKind: scalarOf(outputs[0]?.type),
    hasGaps: node.settings?.["on_error"] === "collect" && isNested(call),
    // Frozen and normalized, so that sheets and modules agree and no agent can change them.
    settings: settingsOf(name, node.settings),
    retry: node.retry === undefined ? ONCE : { ...ONCE, ...node.retry },
    timeoutMs: node.timeoutMs ?? 0,
    maxVisits: node.maxVisits ?? MANY,
    ...routing,
  };
}

/** More visits than any run makes. V8 stores it as a small integer. */
const MANY = 2 ** 30 - 1;
const NO_TABLES: readonly string[] = [];
const NO_SETTINGS: Settings = Object.freeze({});
const ONCE: Required<RetryPolicy> = { attempts: 1, ...RETRY_DEFAULTS };

/** The outputs of a node in their full form. */
export function outputsOf({ writes = [] }: Pick<Node<unknown, PropertyKey>, "writes">): readonly Output[] {
  return Object.freeze(
    (isList(writes) ? writes : [writes]).map((write) => Object.freeze(prepareOutput(write))),
  );
}

const isList = (writes: Write | readonly Write[]): writes is readonly Write[] => Array.isArray(writes);

function prepareOutput(output: Write): Output {
  if (typeof output === "string") return { field: output, key: output, type: undefined };
  const { field, key = field, type } = output;
  return { field, key, type: type === undefined ? undefined : (dataOf(type) as FieldType) };
}

function plainFieldOf(outputs: readonly Output[]): string | null {
  const [only] = outputs;
  if (only === undefined) return "";
  if (outputs.length > 1) return null;
  return only.key === only.field && (isAnything(only.type) || isScalar(only.type)) ? only.field : null;
}

const isAnything = (type: FieldType | undefined): type is undefined => type === undefined || isOpen(type);

/**
 * An agent as a function that gets its own context. A class is instantiated at the first visit, once for the graph.
 */
export function callOf(agent: AnyAgent): AgentCall {
  const prototype = (agent as { readonly prototype?: { readonly process?: unknown } }).prototype;
  if (typeof prototype?.process !== "function") return callOfFunction(agent as AgentCall);
  let process: AgentCall | undefined;
  return sameMark(agent, (inputs, context) => {
    process ??= processOf(agent as new () => { process: AgentCall });
    return process(inputs, context);
  });
}

const sameMark = (agent: object, call: AgentCall): AgentCall => (isPure(agent) ? pure(call) : call);

/**
 * Agents that run a graph need the visit itself. Agents of this package get it, too, because they do not misuse it.
 */
function callOfFunction(agent: AgentCall): AgentCall {
  if (isNested(agent) || !takesContext(agent)) return agent;
  return sameMark(agent, (inputs, context) => agent(inputs, contextOf(context)));
}

/** The method is read at each call, because a getter or a spy may replace it later. */
function processOf(agent: new () => { process: AgentCall }): AgentCall {
  const instance = made(agent);
  let known: AgentCall | null = null;
  let takes = true;
  return (inputs, context) => {
    const method = instance.process;
    if (method !== known) {
      known = method;
      takes = takesContext(method);
    }
    return method.call(instance, inputs, takes ? contextOf(context) : context);
  };
}

function made(agent: new () => { process: AgentCall }): { process: AgentCall } {
  try {
    return new agent();
  } catch (thrown) {
    if (agent.length === 0) throw thrown;
    const cure = "agents are made without arguments; take what it needs from context.services";
    throw new AgentError(
      "agent_failed",
      `the class ${agent.name} cannot be made: ${messageOf(thrown)}; ${cure}`,
    );
  }
}
