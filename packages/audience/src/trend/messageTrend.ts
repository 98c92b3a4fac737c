import { type Fact, factConditions } from "../compile/messageSql.ts";
import type { Scope } from "../compile/scope.ts";
import type { MessageFilter } from "../leaves/event/event.ts";
import { NO_TEST } from "../messages/messageFacts.ts";
import { firstAfter, firstAt, type Points } from "./points.ts";

interface OfMessages {
  readonly from: string;
  readonly first: readonly string[];
  readonly end: readonly string[];
}

/** Joins activities to the messages that have the wanted facts, at the points at which they have them. */
export function withMessages(
  message: MessageFilter | undefined,
  { from, scope, points }: { readonly from: string; readonly scope: Scope; readonly points: Points },
): OfMessages {
  const facts = message === undefined ? [] : factConditions(message, scope);
  const [one, ...others] = facts.map((fact) => messagesSaying(fact, scope, points));
  if (one === undefined) return { from, first: [], end: [] };
  const all = others.reduce(
    (left, right) =>
      `SELECT l.message AS message, greatest(l.said_from, r.said_from) AS said_from, least(l.said_until, r.said_until) AS said_until FROM (${left}) AS l INNER JOIN (${right}) AS r ON l.message = r.message WHERE said_from < said_until`,
    one,
  );
  return {
    from: `${from} INNER JOIN (SELECT message AS said_of, said_from, said_until FROM (${all})) AS m ON r.message = m.said_of`,
    first: ["m.said_from"],
    end: ["m.said_until"],
  };
}

/** A fact is what the newest `message-sent` says that was seen; of several that are first seen at one point only the newest can be it. */
function messagesSaying({ member, test }: Fact, { bind, account }: Scope, points: Points): string {
  const said = `JSONExtractRaw(properties, ${bind.string(member)})`;
  const seen = [firstAfter("time", points, bind)];
  if (points.isRecorded) seen.push(firstAt("ingested", points, bind));
  const known = points.isRecorded ? [`ingested <= ${points.last}`] : [];
  const where = [
    `account = ${account}`,
    `action = ${bind.string("message-sent")}`,
    "message != ''",
    NO_TEST,
    `${said} NOT IN ('', 'null')`,
    `time < ${points.last}`,
    ...known,
  ];
  const first = seen.length === 1 ? seen.join("") : `greatest(${seen.join(", ")})`;
  const place = "(time, ingested, uid)";
  const newest = `SELECT message, ${first} AS said_from, argMax(${said}, ${place}) AS fact, max(${place}) AS place FROM activities WHERE ${where.join(" AND ")} GROUP BY message, said_from`;
  const later = "ORDER BY place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING";
  const until = `toInt32(${points.end} - max(${points.end} - said_from) OVER (PARTITION BY message ${later})) AS said_until`;
  return `SELECT message, said_from, said_until FROM (SELECT message, said_from, fact, ${until} FROM (${newest})) WHERE said_from < said_until AND ${test("fact")}`;
}
