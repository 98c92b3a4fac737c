import { parseMcId, parseMessageId } from "@headwater/contracts";
import { compare, condition, decimal, inWindow } from "./evaluateCondition.ts";
import { type Activity, survivorOf, type Value } from "./model.ts";
import type { Rule } from "./rule.ts";
import { member, type Sight } from "./sight.ts";

export function eventPasses(leaf: Rule, contact: number, sight: Sight): boolean {
  const { world, question } = sight;
  const actions = [leaf.event ?? []].flat();
  const seen = seenBy(sight)
    .filter((event) => survivorOf(world, event.contact) === contact && actions.includes(event.action))
    .filter((event) => leaf.robots === true || !isMachine(event))
    .filter((event) => leaf.message === undefined || isOfMessage(event, leaf.message, sight));
  // Of several at the latest millisecond one that passes is enough.
  const latestMs = Math.max(...seen.map(({ time }) => time));
  const matching = (leaf.last ? seen.filter(({ time }) => time === latestMs) : seen)
    .filter((event) => leaf.within === undefined || inWindow(event.time, leaf.within, question))
    .filter((event) => (leaf.where ?? []).every((prop) => condition(part(event, prop.field), prop, question)));
  if (leaf.sum !== undefined) return compare(Number(sumOf(matching, leaf.sum.of)) / 10 ** POSITIONS, leaf.sum);
  const count = new Set(matching.map((event) => event.uid)).size;
  return compare(leaf.last ? Math.min(1, count) : count, leaf.count ?? { op: "gte", value: 1 });
}

/** Opens and clicks that no person made. */
function isMachine({ action, properties, device }: Activity): boolean {
  return (action === "open" || action === "click") && (properties.machine === true || device?.robot === true);
}

function seenBy({ world, question, known }: Sight): Activity[] {
  const limit = question.asOf ?? Number.POSITIVE_INFINITY;
  return world.activities.filter((event) => event.time < limit && event.ingested <= known);
}

/** Reads a member of an event: of its place or its device where the path says so, else of its properties. */
function part({ properties, geo, device }: Activity, path = ""): Value | undefined {
  if (path === "geo.geoLoc") return geo?.geoLoc && { loc: geo.geoLoc };
  const position = { ...(geo?.city && { city: geo.city }), ...(geo?.country && { country: geo.country }) };
  const whole = {
    geo: { ...position, ...(geo?.geoLoc && { geoLoc: geo.geoLoc }) },
    device: device ?? null,
    properties,
  };
  return /^(geo|device|properties)\./.test(path) ? member(whole, path) : member(properties, path);
}

const POSITIONS = 10;

/** Keeps the earliest of several events of one uid. */
function sumOf(events: readonly Activity[], path: string): bigint {
  const order = (event: Activity) => [event.time, event.ingested, event.action, event.contact] as const;
  const sorted = events.toSorted((a, b) => compareAll(order(b), order(a)));
  const earliest = new Map(sorted.map((event) => [event.uid, event]));
  return [...earliest.values()].reduce((sum, event) => sum + decimal(part(event, path), POSITIONS), 0n);
}

function compareAll(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const index = a.findIndex((one, place) => one !== b[place]);
  const [left, right] = [a[index] ?? 0, b[index] ?? 0];
  return left < right ? -1 : left > right ? 1 : 0;
}

const idOf = (event: Activity) => {
  const { message, type } = parseMcId(event.mcId) ?? {};
  return type === "t" ? undefined : message;
};

/** Facts of a message are what its newest `message-sent` says that says them. Sends of tests are of no message. */
function isOfMessage(event: Activity, wanted: NonNullable<Rule["message"]>, sight: Sight): boolean {
  const of = idOf(event);
  if (of === undefined) return false;
  const { message, period } = parseMessageId(wanted.id ?? "") ?? {};
  if (message !== undefined && of !== message) return false;
  if (period !== undefined && parseMcId(event.mcId)?.period !== period) return false;
  const sent = seenBy(sight)
    .filter((one) => one.action === "message-sent" && idOf(one) === of)
    .sort((a, b) => compareAll([b.time, b.ingested, b.uid], [a.time, a.ingested, a.uid]));
  const fact = (name: string) => sent.map((one) => member(one.properties, name)).find((value) => value !== undefined);
  if (wanted.key !== undefined && fact("messageKey") !== wanted.key) return false;
  if (wanted.channel !== undefined && fact("channel") !== wanted.channel) return false;
  return wanted.tag === undefined || [fact("tags")].flat().includes(wanted.tag);
}
