import { messageTypes } from "@headwater/contracts";
import { createBinder } from "../compile/binder.ts";
import { factsSql, factTexts, MESSAGE_FACTS, type MessageFact } from "./messageFacts.ts";
import { compileMessageNumbers, type NumbersQuestion } from "./messageNumbers.ts";
import { MESSAGE_RATES, MESSAGE_STATS, rateSql } from "./messageStats.ts";

/** A column of a report on messages. */
export interface ReportColumn {
  readonly name: string;
  readonly type: "id" | "text" | "array" | "number" | "money";
}

const factColumns: readonly (readonly [name: string, fact: MessageFact, type: "text" | "array"])[] = [
  ["message_key", "messageKey", "text"],
  ["message_name", "messageName", "text"],
  ["subject", "subject", "text"],
  ["channel", "channel", "text"],
  ["channel_type", "channelType", "text"],
  ["classification", "classification", "text"],
  ["message_type", "messageType", "text"],
  ["tags", "tags", "array"],
  ["orchestration_id", "orchestrationID", "text"],
  ["orchestration_name", "orchestrationName", "text"],
  ["audience_keys", "audienceKeys", "array"],
];

/** All columns of a report, in the order in which it has them by default. */
export const REPORT_COLUMNS: readonly ReportColumn[] = [
  { name: "message_id", type: "id" },
  ...factColumns.map(([name, , type]) => ({ name, type })),
  ...MESSAGE_STATS.map((name) => ({ name, type: name === "revenue" ? ("money" as const) : ("number" as const) })),
  ...MESSAGE_RATES.map((name) => ({ name, type: "number" as const })),
];

/**
 * Compiles a report on messages: a SELECT of `REPORT_COLUMNS`, newest first, types by their name. Arrays are JSON texts. In rows that
 * add messages up `message_id` is empty, and all that describes one message is null.
 */
export function compileMessageReport(question: NumbersQuestion): {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
} {
  const { sql, prefix, params } = compileMessageNumbers(question);
  const stats = MESSAGE_STATS.map((stat) => `n.${stat} AS ${stat}`);
  const rates = MESSAGE_RATES.map((rate) => `${rateSql(rate)} AS ${rate}`);
  const named = factColumns.map(([name]) => name);
  const { view } = question;
  const displayed = ["message_id", ...named, ...MESSAGE_STATS, ...rates].join(", ");
  if (view === "type" || view === "total") {
    const facts = named.map((name) => (name === "message_type" && view === "type" ? typeName("n.part") : "NULL"));
    const columns = ["'' AS message_id", ...facts.map((fact, index) => `${fact} AS ${named[index]}`), ...stats];
    const rows = `SELECT ${columns.join(", ")} FROM (${sql}) AS n`;
    return { sql: `${prefix}SELECT ${displayed} FROM (${rows}) ORDER BY message_type`, params };
  }
  const bind = createBinder("f");
  const facts = factsSql(MESSAGE_FACTS, [], { bind, account: bind.uint(question.account) });
  const id = "if(n.part = '', toString(n.message), concat(n.message, ':', n.part)) AS message_id";
  const columns = [id, ...factColumns.map((column) => `${factSql(column)} AS ${column[0]}`), ...stats];
  const rows = `SELECT ${columns.join(", ")}, n.sent_at AS sent_at FROM (${sql}) AS n LEFT JOIN (${facts}) AS f ON n.message = f.message`;
  return {
    sql: `${prefix}SELECT ${displayed} FROM (${rows}) ORDER BY sent_at DESC, message_id`,
    params: { ...params, ...bind.params },
  };
}

function factSql([name, fact, type]: (typeof factColumns)[number]): string {
  const json = `f.fact_${fact}`;
  if (type === "array") return `if(${json} = '', NULL, toJSONString(${factTexts(fact)}))`;
  const missing = name === "message_type" ? typeName("n.message_type") : "NULL";
  return `if(startsWith(${json}, '"'), JSONExtractString(${json}), ${missing})`;
}

/** The name of a letter of `messageTypes`. */
function typeName(letter: string): string {
  const letters = Object.keys(messageTypes).map((one) => `'${one}'`);
  const names = Object.values(messageTypes).map((one) => `'${one}'`);
  return `transform(${letter}, [${letters.join(", ")}], [${names.join(", ")}], '')`;
}
