import { type Binder, createBinder } from "../compile/binder.ts";

/** Members of the properties of `message-sent` that describe its message. */
export const MESSAGE_FACTS = [
  "messageKey",
  "messageName",
  "subject",
  "channel",
  "channelType",
  "classification",
  "messageType",
  "tags",
  "orchestrationID",
  "orchestrationName",
  "audienceKeys",
] as const;
export type MessageFact = (typeof MESSAGE_FACTS)[number];

/** A row does not describe its message when its send was a test. */
export const NO_TEST = "message_type != 't'";

/**
 * Selects `message` and, for each fact, `fact_<name>`: the JSON that the newest `message-sent` says that says it, empty
 * where none does.
 * @param bounds further conditions on the activities.
 */
export function factsSql(
  facts: readonly MessageFact[],
  bounds: readonly string[],
  { bind, account }: { readonly bind: Binder; readonly account: string },
): string {
  const newest = facts.map((name) => `${newestSql(name, bind)} AS fact_${name}`);
  const where = [
    `account = ${account}`,
    `action = ${bind.string("message-sent")}`,
    "message != ''",
    NO_TEST,
    ...bounds,
  ];
  return `SELECT ${["message", ...newest].join(", ")} FROM activities WHERE ${where.join(" AND ")} GROUP BY message`;
}

/** A message with the JSON of facts of it, empty where no send says one. */
export type MessageFactsRow<Fact extends MessageFact> = { readonly message: string } & {
  readonly [Name in Fact as `fact_${Name}`]: string;
};

/** Compiles the facts of some messages, as `MessageFactsRow`s; a message that was never sent has none. */
export function compileMessageFacts({
  account,
  facts,
  messages,
}: {
  readonly account: number;
  readonly facts: readonly MessageFact[];
  readonly messages: readonly string[];
}): { readonly sql: string; readonly params: Readonly<Record<string, unknown>> } {
  const bind = createBinder();
  const sql = factsSql(facts, [`message IN ${bind.strings(messages)}`], { bind, account: bind.uint(account) });
  return { sql, params: bind.params };
}

/** Rows that do not hold the name at all are not parsed. */
function newestSql(name: MessageFact, bind: Binder): string {
  const raw = `JSONExtractRaw(properties, ${bind.string(name)})`;
  const said = `if(position(properties, ${bind.string(`"${name}"`)}) = 0, '', ${raw})`;
  return `argMaxIf(${said}, (time, ingested, uid), ${said} NOT IN ('', 'null'))`;
}

/** Compiles whether a fact is one of the texts. */
export function factIs(name: MessageFact, texts: readonly string[], bind: Binder): string {
  return `JSONExtractString(fact_${name}) IN ${bind.strings(texts)}`;
}

/** A fact of several texts stands in an array, or one of them as a text. */
export function factTexts(name: MessageFact): string {
  const fact = `fact_${name}`;
  return `if(startsWith(${fact}, '"'), [JSONExtractString(${fact})], JSONExtract(${fact}, 'Array(String)'))`;
}

/** Reads the JSON of a fact as a text; undefined where it is none. */
export function factText(json: string): string | undefined {
  const value = parsed(json);
  return typeof value === "string" ? value : undefined;
}

/** Reads the JSON of a fact as texts, of an array those elements that are some. */
export function factList(json: string): string[] {
  return [parsed(json)].flat().filter((one) => typeof one === "string");
}

function parsed(json: string): unknown {
  return json === "" ? undefined : JSON.parse(json);
}
