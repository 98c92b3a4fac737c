import type { messageTypes } from "@headwater/contracts";
import type { Binder } from "../compile/binder.ts";
import { factIs, factsSql, factTexts, type MessageFact } from "./messageFacts.ts";

/** The messages that belong together: each that one of the lists names. */
export interface MessageGroup {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
  readonly tags: readonly string[];
  readonly orchestrationIds: readonly string[];
  /** Tags of messages that an orchestration sent. */
  readonly orchestrationTags: readonly string[];
}

/** Selects the messages that are counted; all members that are given must hold. */
export interface MessageSelection {
  readonly type?: keyof typeof messageTypes | undefined;
  readonly group?: MessageGroup | undefined;
  readonly channel?: string | undefined;
  readonly channelType?: string | undefined;
  readonly name?: string | undefined;
  readonly tags?: { readonly names: readonly string[]; readonly operator: "any" | "all" } | undefined;
  readonly orchestrationId?: string | undefined;
  readonly orchestrationName?: string | undefined;
  /** Keys of saved audiences of which the message was sent to one. */
  readonly audienceKeys?: readonly string[] | undefined;
}

export interface Selecting {
  readonly bind: Binder;
  /** The account's number, bound. */
  readonly account: string;
  /** Conditions on activities that each message of the answer has a send within. */
  readonly sends: readonly string[];
}

/**
 * Compiles a selection.
 * @returns `where` on the columns of activities and orders, and `selected`, the SQL of the array that `where` names, if it does.
 */
export function selectMessages(
  { type, group, ...facts }: MessageSelection,
  { bind, account, sends }: Selecting,
): { readonly where: string[]; readonly selected?: string } {
  const where = [type === undefined ? "message_type IN ('b', 'a', 'o')" : `message_type = ${bind.string(type)}`];
  const tests = factTests(facts, bind);
  const hasId = group === undefined || group.ids.length === 0 ? undefined : `message IN ${bind.strings(group.ids)}`;
  const grouped = group === undefined ? NOTHING : groupTests(group, { bind, hasId });
  if (group !== undefined && grouped.facts.length + tests.facts.length === 0) {
    return { where: [...where, hasId ?? "false"] };
  }
  const named = [...new Set([...tests.facts, ...grouped.facts])];
  if (named.length === 0) return { where: [...where, "message != ''"] };
  const isGrouped = group === undefined ? [] : [`(${grouped.tests.join(" OR ")})`];
  const sent = [`account = ${account}`, `action = ${bind.string("message-sent")}`, ...sends].join(" AND ");
  const candidates = sends.length === 0 ? [] : [`message IN (SELECT message FROM activities WHERE ${sent})`];
  // A message that appears only in reports has no facts, and is in the group by its id all the same.
  const isNamed = tests.tests.length === 0 ? hasId : undefined;
  const factRows = factsSql(named, candidates, { bind, account });
  return {
    where: [...where, isNamed === undefined ? IS_SELECTED : `(${isNamed} OR ${IS_SELECTED})`],
    selected: `SELECT groupArray(message) FROM (${factRows}) WHERE ${[...isGrouped, ...tests.tests].join(" AND ")}`,
  };
}

const IS_SELECTED = "message IN (SELECT arrayJoin(selected))";

interface FactTests {
  readonly facts: readonly MessageFact[];
  readonly tests: readonly string[];
}

const NOTHING: FactTests = { facts: [], tests: [] };

function factTests(selection: Omit<MessageSelection, "type" | "group">, bind: Binder): FactTests {
  const { channel, channelType, name, tags, orchestrationId, orchestrationName, audienceKeys } = selection;
  const texts = ([fact, text]: readonly [MessageFact, string | undefined]) =>
    text === undefined ? [] : [{ fact, test: factIs(fact, [text], bind) }];
  const tested: { readonly fact: MessageFact; readonly test: string }[] = [
    ["channel", channel] as const,
    ["channelType", channelType] as const,
    ["messageName", name] as const,
    ["orchestrationID", orchestrationId] as const,
    ["orchestrationName", orchestrationName] as const,
  ].flatMap(texts);
  if (tags !== undefined) {
    const has = tags.operator === "all" ? "hasAll" : "hasAny";
    tested.push({ fact: "tags", test: `${has}(${factTexts("tags")}, ${bind.strings(tags.names)})` });
  }
  if (audienceKeys !== undefined) {
    const test = `hasAny(${factTexts("audienceKeys")}, ${bind.strings(audienceKeys)})`;
    tested.push({ fact: "audienceKeys", test });
  }
  return { facts: tested.map(({ fact }) => fact), tests: tested.map(({ test }) => test) };
}

function groupTests(
  { keys, tags, orchestrationIds, orchestrationTags }: MessageGroup,
  { bind, hasId }: { readonly bind: Binder; readonly hasId: string | undefined },
): FactTests {
  const facts: MessageFact[] = [];
  const tests = hasId === undefined ? [] : [hasId];
  const add = (test: string, ...used: MessageFact[]) => {
    facts.push(...used);
    tests.push(test);
  };
  if (keys.length > 0) add(factIs("messageKey", keys, bind), "messageKey");
  if (tags.length > 0) add(`hasAny(${factTexts("tags")}, ${bind.strings(tags)})`, "tags");
  if (orchestrationIds.length > 0) add(factIs("orchestrationID", orchestrationIds, bind), "orchestrationID");
  if (orchestrationTags.length > 0) {
    const isTagged = `hasAny(${factTexts("tags")}, ${bind.strings(orchestrationTags)})`;
    add(`(JSONExtractString(fact_orchestrationID) != '' AND ${isTagged})`, "tags", "orchestrationID");
  }
  return { facts, tests };
}
