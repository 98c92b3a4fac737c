import { parseMcId, parseMessageId } from "@headwater/contracts";
import type { NumbersQuestion } from "@headwater/criteria";
import { type Campaign, type CampaignActivity, type CampaignOrder, ownerOf } from "./campaign.ts";
import { isSelected } from "./evaluateSelection.ts";

/** Stats by their name; `revenue` in ten-thousandths. */
export type Stats = Readonly<Record<string, bigint>>;
/** Stats by message and part, with a line feed between; by type alone; in one row in all under the empty text. */
export type Numbers = ReadonlyMap<string, Stats>;

/** Something that counts, with the message it is about. */
interface Counted {
  readonly message: string;
  readonly type: string;
  readonly period: string;
  /** Time that decides the day of an automated message. */
  readonly at: number;
  /** Variant of the send. */
  readonly variant: string;
  readonly activity?: CampaignActivity;
  readonly order?: CampaignOrder;
}

/** Goes through all events of a campaign, one by one, and counts as the table of stats says. */
export function evaluateNumbers(campaign: Campaign, question: NumbersQuestion): Numbers {
  const { view, messages } = question;
  const all = [...countedActivities(campaign, question), ...countedOrders(campaign, question)];
  const counted = all.filter((one) => isSelected(one, campaign, messages));
  const parts = Map.groupBy(counted, (one) => `${one.message}\n${partOf(one, question)}`);
  const numbers = [...parts].map(([key, rows]) => [key, statsOf(rows, campaign, question)] as const);
  if (view === "message" || view === "day" || view === "variant") return new Map(numbers);
  const groups = Map.groupBy(numbers, ([key]) => (view === "total" ? "" : key.slice(key.lastIndexOf("\n") + 1)));
  const sums = [...groups].map(([key, rows]) => [key, added(rows.map(([, stats]) => stats))] as const);
  return new Map(sums.length === 0 && view === "total" ? [["", statsOf([], campaign, question)]] : sums);
}

const ACTIONS = ["message-sent", "open", "click", "bounce", "optout", "complaint"];

const isIn = (at: number, { from, to }: NumbersQuestion) => at >= from && at < to;

function messageOf(mcId: string): Pick<Counted, "message" | "type" | "period"> | undefined {
  const parsed = parseMcId(mcId);
  if (parsed === undefined || !["b", "a", "o"].includes(parsed.type)) return undefined;
  return { message: parsed.message, type: parsed.type, period: parsed.period ?? "" };
}

function sendsOf({ activities }: Campaign): CampaignActivity[] {
  return activities.filter(({ action, mcId }) => action === "message-sent" && messageOf(mcId) !== undefined);
}

/** Instant and variant of the first send of the time that an `mcID` names. */
function firstSend(mcId: string, campaign: Campaign, question: NumbersQuestion) {
  const sends = sendsOf(campaign).filter((send) => send.mcId === mcId && isIn(send.time, question));
  return sends.map((send) => ({ at: send.time, variant: variantOf(send) })).sort(byInstant)[0];
}

function byInstant(a: Pick<Counted, "at" | "variant">, b: Pick<Counted, "at" | "variant">): number {
  return a.at - b.at || compare(a.variant, b.variant);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function variantOf({ properties: { variant } }: CampaignActivity): string {
  return typeof variant === "string" || typeof variant === "number" ? String(variant) : "";
}

function countedActivities(campaign: Campaign, question: NumbersQuestion): Counted[] {
  return campaign.activities.flatMap((activity) => {
    const message = messageOf(activity.mcId);
    if (message === undefined || !ACTIONS.includes(activity.action)) return [];
    const isOwn = question.basis === "event" || activity.action === "message-sent";
    const own = { ...message, at: activity.time, variant: variantOf(activity), activity };
    if (isOwn) return isIn(activity.time, question) ? [own] : [];
    const first = firstSend(activity.mcId, campaign, question);
    return first === undefined ? [] : [{ ...message, ...first, activity }];
  });
}

function countedOrders(campaign: Campaign, question: NumbersQuestion): Counted[] {
  return campaign.orders
    .filter(({ counts, deleted }) => counts && !deleted)
    .flatMap((order) => {
      const { mcID = "", msID = "", purchasedAt } = order;
      const isOfSend = parseMcId(mcID) !== undefined;
      const batch = parseMessageId(msID);
      const click = isOfSend || batch !== undefined ? undefined : lastClick(order, campaign, question);
      const sendId = click?.mcId ?? mcID;
      const named =
        isOfSend || click !== undefined
          ? messageOf(sendId)
          : batch && { message: batch.message, type: "b", period: batch.period ?? "" };
      if (named === undefined) return [];
      if (question.basis === "event")
        return isIn(purchasedAt, question) ? [{ ...named, at: purchasedAt, variant: "", order }] : [];
      if (!isOfSend && click === undefined) return followedBatch(order, named.message, campaign, question);
      const first = firstSend(sendId, campaign, question);
      return first === undefined ? [] : [{ ...named, ...first, order }];
    });
}

const DAY_MS = 86_400_000;

/** The last click by a person before the order, of the contact that lives: of two at one instant that of the greater `mcID`. */
function lastClick(order: CampaignOrder, campaign: Campaign, { attributionDays }: NumbersQuestion) {
  const owner = ownerOf(campaign, order.contact);
  return campaign.activities
    .filter((one) => one.action === "click" && isPerson(one) && messageOf(one.mcId) !== undefined)
    .filter(({ contact }) => ownerOf(campaign, contact) === owner)
    .filter(({ time }) => time <= order.purchasedAt && time > order.purchasedAt - attributionDays * DAY_MS)
    .sort((a, b) => a.time - b.time || compare(a.mcId, b.mcId))
    .at(-1);
}

/** The first send of the message to the order's contact, else to anybody. */
function followedBatch(
  order: CampaignOrder,
  message: string,
  campaign: Campaign,
  question: NumbersQuestion,
): Counted[] {
  const sends = sendsOf(campaign)
    .map((send) => ({ send, named: messageOf(send.mcId) }))
    .filter(({ named }) => named?.message === message && isSelected(named, campaign, question.messages))
    .sort(
      (a, b) => a.send.time - b.send.time || byChild(a.named, b.named) || compare(variantOf(a.send), variantOf(b.send)),
    );
  const own = sends.find(({ send }) => ownerOf(campaign, send.contact) === ownerOf(campaign, order.contact));
  const { send, named } = own ?? sends[0] ?? {};
  return send && named && isIn(send.time, question)
    ? [{ ...named, at: send.time, variant: variantOf(send), order }]
    : [];
}

type Named = Pick<Counted, "type" | "period"> | undefined;

/** Orders sends: of two at one instant the lesser period comes first, then the lesser type. */
function byChild(a: Named, b: Named): number {
  return compare([a?.period, a?.type].join("\n"), [b?.period, b?.type].join("\n"));
}

function partOf({ period, type, at, variant }: Counted, { view, timezone }: NumbersQuestion): string {
  if (view === "variant") return variant;
  if (view === "type") return type;
  if (view !== "day") return "";
  if (period !== "") return `d${period.slice(1, 7)}`;
  if (type !== "a") return "";
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(at);
  return `d${day.slice(2).replaceAll("-", "")}`;
}

function statsOf(rows: readonly Counted[], campaign: Campaign, { currency }: NumbersQuestion): Stats {
  const activities = rows.flatMap(({ activity }) => activity ?? []);
  const of = (action: string, passes: (one: CampaignActivity) => boolean = () => true) =>
    activities.filter((one) => one.action === action && passes(one));
  const owner = ({ contact }: CampaignActivity) => ownerOf(campaign, contact);
  const events = (some: CampaignActivity[]) => BigInt(new Set(some.map((one) => `${owner(one)} ${one.uid}`)).size);
  const contacts = (some: CampaignActivity[]) => BigInt(new Set(some.map(owner)).size);
  const [soft, hard] = [events(of("bounce", isSoft)), events(of("bounce", (one) => !isSoft(one)))];
  const sent = events(of("message-sent"));
  const orders = rows.flatMap(({ order }) => order ?? []);
  const paid = orders.filter((order) => order.currency === currency).map(({ total }) => total ?? 0n);
  return {
    ...{ sent, bounce_hard: hard, bounce_soft: soft, bounce_total: hard + soft },
    delivered: sent > hard + soft ? sent - hard - soft : 0n,
    ...{ opens: events(of("open", isPerson)), opens_unique: contacts(of("open", isPerson)) },
    ...{ opens_machine: events(of("open", isMachine)), clicks: events(of("click", isPerson)) },
    ...{ clicks_unique: contacts(of("click", isPerson)), clicks_machine: events(of("click", isMachine)) },
    ...{ opt_outs: contacts(of("optout")), complaints: contacts(of("complaint")) },
    ...{ orders: BigInt(orders.length), revenue: paid.reduce((sum, one) => sum + one, 0n) },
  };
}

function isMachine({ device, properties }: CampaignActivity): boolean {
  return device?.robot === true || properties.machine === true;
}

function isPerson(activity: CampaignActivity): boolean {
  return !isMachine(activity);
}

function isSoft({ properties }: CampaignActivity): boolean {
  return String(properties.bounceType).toLowerCase() === "soft";
}

function added(all: readonly Stats[]): Stats {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, all.reduce((sum, one) => sum + (one[name] ?? 0n), 0n)]));
}
