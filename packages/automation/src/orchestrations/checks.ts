import { type CriteriaContext, parseCriteria } from "@headwater/criteria";
import { DETAILS_FOUND_MAX, type ErrorDetail, pointerOf, type Sliced, safeParse, toDetails } from "@headwater/kernel";
import { criteriaOfEntry, criteriaOfExits, criteriaOfNode } from "./criteria.ts";
import {
  type Composition,
  type Draft,
  type DraftAction,
  EVENT_FIELD,
  type Node,
  nodeSchema,
  ORCHESTRATION_LIMITS,
  resultsOf,
  TIMEOUT,
} from "./orchestration.ts";

export type CheckedDraft =
  | { readonly kind: "ok"; readonly composition: Composition }
  | { readonly kind: "invalid"; readonly details: readonly ErrorDetail[] };

const DRAFT = "/composition/draft";
const ACTIONS = `${DRAFT}/actions`;
const pointerTo = (index: number) => `${ACTIONS}/${index}`;

export interface KnownNames {
  /** Names that the account knows, those of every criteria in the draft among them. */
  readonly context: CriteriaContext;
  /** Names that a misspelled one may have meant; default those of the context. */
  readonly suggestions?: CriteriaContext;
}

/**
 * Checks a draft before it becomes a version. Takes time linear in nodes and edges; a slice checks one criteria.
 * @returns the version, or all mistakes with JSON pointers into the body.
 */
export function* checkDraft(draft: Draft, known: KnownNames): Sliced<CheckedDraft> {
  const { actions, ...members } = draft;
  const limit = ORCHESTRATION_LIMITS.nodes;
  if (actions.length === 0) return invalid([detail(ACTIONS, "required", "At least one action is required.")]);
  if (actions.length > limit) return invalid([detail(ACTIONS, "too_many", `At most ${limit} actions are allowed.`)]);
  const details: ErrorDetail[] = [];
  const nodes = actions.map((action, index) => readNode(action, index, details));
  details.push(...duplicateIds(actions), ...duplicateGoals(draft));
  nodes.forEach((node, index) => {
    if (node?.type === "split") details.push(...wrongPaths(node, pointerTo(index)));
  });
  const graph = readGraph(actions, nodes, details);
  details.push(...unreachable(graph), ...wrongCircles(graph));
  for (const used of criteriaIn(draft, nodes)) {
    if (details.length >= DETAILS_FOUND_MAX) break;
    details.push(...wrongCriteria(used, known));
    yield;
  }
  const published = nodes.filter((node) => node !== undefined);
  return details.length > 0 ? invalid(details) : { kind: "ok", composition: { ...members, actions: published } };
}

/** Returns every criteria of a draft whose configuration can be read, so that what they name can be looked up. */
export function criteriaOfDraft(draft: Draft): readonly UsedCriteria[] {
  return criteriaIn(draft, readNodes(draft));
}

/** Returns the nodes of a draft, undefined for those whose configuration is wrong. */
function readNodes({ actions }: Draft): (Node | undefined)[] {
  return actions.slice(0, ORCHESTRATION_LIMITS.nodes).map((action, index) => readNode(action, index, []));
}

/** Returns the mistakes of steps whose template does not exist. @param keys of the templates that exist. */
export function missingTemplates({ actions }: Draft, keys: ReadonlySet<string>): ErrorDetail[] {
  return actions.flatMap((action, index) => {
    const { templateKey } = withTemplate(action);
    if (action.type !== "message" || typeof templateKey !== "string" || keys.has(templateKey)) return [];
    const at = `${pointerTo(index)}/${action.templateKey === undefined ? "config/" : ""}templateKey`;
    return [detail(at, "unknown_reference", "No template has this key.")];
  });
}

/** Returns the mistakes of steps whose data job does not exist. @param keys of the data jobs that exist. */
export function missingDataJobs({ actions }: Draft, keys: ReadonlySet<string>): ErrorDetail[] {
  return actions.flatMap((action, index) => {
    const key = dataJobOf(action);
    if (key === undefined || keys.has(key)) return [];
    return [detail(`${pointerTo(index)}/config/key`, "unknown_reference", "No data job has this key.")];
  });
}

/** Returns the keys of the data jobs that the steps of a draft run, each once. */
export function dataJobsOf({ actions }: Draft): string[] {
  return [...new Set(actions.flatMap((action) => dataJobOf(action) ?? []))];
}

function dataJobOf({ type, config = {} }: DraftAction): string | undefined {
  return type === "transformation" && typeof config.key === "string" ? config.key : undefined;
}

interface TextAt {
  readonly text: string;
  /** JSON pointer. */
  readonly at: string;
}

/** Returns the addresses that webhook nodes of a draft call. Those that are no URL are a mistake of their own. */
export function webhooksOf(draft: Draft): TextAt[] {
  return readNodes(draft).flatMap((node, index) =>
    node?.type === "webhook" ? [{ text: node.config.url, at: `${pointerTo(index)}/config/url` }] : [],
  );
}

/** Returns the texts of a draft that are rendered as Liquid. */
export function liquidOf(draft: Draft): TextAt[] {
  return readNodes(draft).flatMap((node, index) => {
    const at = `${pointerTo(index)}/config`;
    if (node?.type === "webhook")
      return node.config.body === undefined ? [] : [{ text: node.config.body, at: `${at}/body` }];
    if (node?.type !== "transformation") return [];
    return Object.entries(node.config.set?.attributes ?? {}).flatMap(([name, text]) =>
      typeof text === "string" ? [{ text, at: `${at}/set/attributes${pointerOf([name])}` }] : [],
    );
  });
}

/** Returns the keys of the templates that the steps of a draft send, each once. */
export function templatesOf(actions: readonly (DraftAction | Node)[]): string[] {
  const keys = actions.flatMap((action) => (action.type === "message" ? [withTemplate(action).templateKey] : []));
  return [...new Set(keys.filter((key) => typeof key === "string"))];
}

function invalid(details: readonly ErrorDetail[]): CheckedDraft {
  return { kind: "invalid", details };
}

function detail(path: string, code: string, message: string, allowed?: readonly string[]): ErrorDetail {
  return { path, code, message, ...(allowed !== undefined && { allowed }) };
}

/** Reads one action with the configuration of its type; undefined where that is wrong. */
function readNode(action: DraftAction, index: number, details: ErrorDetail[]): Node | undefined {
  const { id, type, label = id, next = [], templateKey } = action;
  const config = withTemplate(action);
  const at = pointerTo(index);
  if (templateKey !== undefined && config.templateKey !== templateKey) {
    const reason = type === "message" ? "differs from that of `config`" : "belongs to a message";
    details.push(detail(`${at}/templateKey`, "not_allowed", `\`templateKey\` ${reason}.`));
  }
  const parsed = safeParse(nodeSchema, { id, type, label, next, config });
  if (parsed.success) return parsed.data;
  details.push(...toDetails(parsed.error).map((one) => ({ ...one, path: at + one.path })));
  return undefined;
}

/** The template of a message is named by the node or its configuration. */
function withTemplate(action: DraftAction | Node): Readonly<Record<string, unknown>> {
  const { type, config = {} } = action;
  const templateKey = "templateKey" in action ? action.templateKey : undefined;
  return type === "message" && templateKey !== undefined ? { templateKey, ...config } : config;
}

function duplicateIds(actions: readonly DraftAction[]): ErrorDetail[] {
  const seen = new Set<string>();
  return actions.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [detail(`${pointerTo(index)}/id`, "bad_value", "`id` is that of another action.")];
  });
}

function duplicateGoals({ goals }: Draft): ErrorDetail[] {
  const names = goals.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [detail(`/goals/${index}/name`, "bad_value", "`name` is that of another goal.")],
  );
}

function wrongPaths({ config: { paths } }: Extract<Node, { type: "split" }>, at: string): ErrorDetail[] {
  const labels = paths.map(({ label }) => label);
  const repeated = labels.flatMap((label, index) => {
    const isFirst = labels.indexOf(label) === index;
    return isFirst
      ? []
      : [detail(`${at}/config/paths/${index}/label`, "bad_value", "`label` is that of another path.")];
  });
  if (paths.some(({ weight }) => weight > 0)) return repeated;
  return [
    ...repeated,
    detail(`${at}/config/paths`, "bad_value", "The weights add up to 0: at least one must be above."),
  ];
}

interface Edge {
  readonly to: number;
  readonly label: string | undefined;
  /** JSON pointer. */
  readonly at: string;
}

/** Edges by the index of the node that they leave. Those that lead nowhere are left out. */
interface Graph {
  readonly nodes: readonly (Node | undefined)[];
  readonly edges: readonly (readonly Edge[])[];
}

function readGraph(
  actions: readonly DraftAction[],
  nodes: readonly (Node | undefined)[],
  details: ErrorDetail[],
): Graph {
  const indexes = new Map<string, number>();
  actions.forEach(({ id }, index) => {
    if (!indexes.has(id)) indexes.set(id, index);
  });
  const edges = actions.map(({ type, next = [] }, index) => {
    const at = `${pointerTo(index)}/next`;
    const node = nodes[index];
    details.push(...wrongCount(type, next.length, at));
    if (node !== undefined) details.push(...wrongLabels(node, at));
    return next.flatMap(({ id, label }, position) => {
      const to = indexes.get(id);
      if (to !== undefined) return [{ to, label, at: `${at}/${position}` }];
      details.push(detail(`${at}/${position}/id`, "unknown_reference", "`id` is not that of an action."));
      return [];
    });
  });
  return { nodes, edges };
}

const ONE_WAY: ReadonlySet<string> = new Set(["message", "delay", "transformation", "goal"]);

function wrongCount(type: Node["type"], count: number, at: string): ErrorDetail[] {
  if (type === "exit" && count > 0) return [detail(at, "not_allowed", "An exit has no edge.")];
  if (ONE_WAY.has(type) && count > 1) return [detail(`${at}/1`, "not_allowed", `A ${type} has at most one edge.`)];
  return [];
}

function wrongLabels(node: Node, at: string): ErrorDetail[] {
  const results = resultsOf(node);
  const seen = new Set<string>();
  return node.next.flatMap(({ label }, index) => {
    const path = `${at}/${index}/label`;
    if (results.length === 0) {
      return label === undefined ? [] : [detail(path, "not_allowed", `A ${node.type} has no labels.`)];
    }
    if (label === undefined) return [detail(path, "required", "`label` is required: it names the result.", results)];
    if (!results.includes(label)) return [detail(path, "bad_value", "`label` is not a result of the action.", results)];
    if (seen.has(label)) return [detail(path, "bad_value", "`label` is that of another edge.")];
    seen.add(label);
    return [];
  });
}

function unreachable({ edges }: Graph): ErrorDetail[] {
  const reached = new Set([0]);
  for (const from of reached) for (const { to } of edges[from] ?? []) reached.add(to);
  return edges.flatMap((_, index) =>
    reached.has(index) ? [] : [detail(pointerTo(index), "bad_value", "No edge leads here from the first action.")],
  );
}

/**
 * Returns whether a run that takes an edge has waited for at least a minute, or for an activity, of which each satisfies one wait. Criteria
 * may hold at once, and a date may be past.
 */
function waits(node: Node | undefined, label: string | undefined): boolean {
  if (node === undefined) return true;
  if (node.type === "delay") return node.config.field === undefined;
  if (node.type !== "wait") return false;
  return label === TIMEOUT || node.config.any[Number(label)]?.event !== undefined;
}

/** Finds edges that close a circle without a wait; where there are none, nodes behind which every way is too long without one. */
function wrongCircles({ nodes, edges }: Graph): ErrorDetail[] {
  const circles: ErrorDetail[] = [];
  const state = new Map<number, "open" | "done">();
  /** Fewest nodes that a run begins from here on until it waits or ends. */
  const fewest: number[] = [];
  // As deep as the graph has nodes, which are bounded.
  const visit = (index: number): void => {
    state.set(index, "open");
    const node = nodes[index];
    const quick = (edges[index] ?? []).filter(({ label }) => !waits(node, label));
    for (const { to, at } of quick) {
      if (state.get(to) === "open") circles.push(detail(at, "cycle", "The circle has no wait of at least a minute."));
      else if (!state.has(to)) visit(to);
    }
    state.set(index, "done");
    fewest[index] = 1 + Math.min(...waysOn(node).map((label) => fewestFrom(quick, label)));
  };
  const fewestFrom = (quick: readonly Edge[], label: string | undefined) => {
    const edge = quick.find((one) => one.label === label);
    return edge === undefined ? 0 : (fewest[edge.to] ?? 0);
  };
  for (const index of edges.keys()) if (!state.has(index)) visit(index);
  if (circles.length > 0) return circles;
  const long = fewest.findIndex((steps) => steps > ORCHESTRATION_LIMITS.stepsWithoutWaiting);
  if (long < 0) return [];
  const message = `Every way from here has more than ${ORCHESTRATION_LIMITS.stepsWithoutWaiting} actions without a wait.`;
  return [detail(pointerTo(long), "limit_exceeded", message)];
}

/** Labels of the edges that a run may take from a node. A skipped message may end the run, as if there were one more. */
function waysOn(node: Node | undefined): readonly (string | undefined)[] {
  if (node === undefined) return [undefined];
  if (node.type === "message" && node.config.onSkip === "exit") return [undefined, "exit"];
  const results = resultsOf(node);
  return results.length === 0 ? [undefined] : results;
}

export interface UsedCriteria {
  readonly criteria: unknown;
  /** JSON pointer to the criteria, or to the name that they stand for. */
  readonly at: string;
  readonly isName?: boolean;
}

/** Returns every criteria of a draft, and those that its names stand for. */
function criteriaIn(draft: Draft, nodes: readonly (Node | undefined)[]): UsedCriteria[] {
  const { audience } = draft.trigger;
  const ofNodes = nodes.flatMap((node, index) => (node === undefined ? [] : criteriaOfNode(node, index)));
  return [
    ...(audience === undefined ? [] : [{ criteria: { audience }, at: "/trigger/audience", isName: true }]),
    ...criteriaOfEntry(draft).map(({ criteria, pointer }) => ({ criteria, at: pointer, isName: true })),
    ...criteriaOfExits(draft).map(({ criteria, pointer }) => ({ criteria, at: pointer })),
    ...ofNodes.map(({ criteria, pointer }) => ({ criteria, at: DRAFT + pointer })),
    ...nodes.flatMap((node, index) => (node?.type === "delay" ? fieldOf(node, index) : [])),
  ];
}

/** Returns criteria that name the field of a delay, to have it checked as theirs are. */
function fieldOf({ config: { field } }: Extract<Node, { type: "delay" }>, index: number): UsedCriteria[] {
  if (field === undefined || field.startsWith(EVENT_FIELD)) return [];
  return [{ criteria: { field, op: "exists" }, at: `${pointerTo(index)}/config/field`, isName: true }];
}

function wrongCriteria({ criteria, at, isName }: UsedCriteria, { context, suggestions }: KnownNames): ErrorDetail[] {
  const parsed = parseCriteria(criteria, context);
  if (parsed.kind === "ok") return [];
  const errors = parsed.errorsIn(suggestions ?? context);
  return errors.map((error) => ({ ...error, path: isName ? at : at + error.path }));
}
