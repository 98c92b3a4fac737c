import { type Answer, type Call, defineOwnAuthRoute, definePublicRoute, type Route } from "@headwater/http";
import { isInfrastructure } from "@headwater/kernel";
import { appendOf, listAppendsOf, type NamedToken, wishOf } from "../events/messageEvent.ts";
import {
  askPage,
  confirmedPage,
  listsSavedPage,
  REASON_CHARACTERS,
  subscribedPage,
  testPage,
  tryLaterPage,
  unknownListPage,
  unsubscribedPage,
} from "../pages/unsubscribePage.ts";
import type { ListsView, OfferedList } from "../preferences/offeredLists.ts";
import { notFound, page } from "./answers.ts";
import { tokenIn, tokenInRaw, tokenRoute } from "./tokenIn.ts";
import type { TrackerPorts } from "./trackerPorts.ts";

const PATH = "/t/u/{token}";
const KINDS = ["unsubscribe", "preferences"] as const;
/** Space for all offered lists twice, and a reason. */
const FORM_BYTES = 16 * 1024;
const RETRY_SECONDS = 30;
const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];
const answers = { 404: { description: "The token was cut or changed.", mediaType: "text/html" } };

/** `GET /t/u/{token}`: asks; it changes nothing, for machines follow links. */
export function unsubscribePageRoute(ports: TrackerPorts): Route {
  return definePublicRoute({
    method: "GET",
    path: PATH,
    ...tokenRoute,
    operationId: "unsubscribePage",
    summary: "Shows the page that asks before it unsubscribes.",
    answers: { 200: { description: "The page.", mediaType: "text/html" }, ...answers },
    handler: async (call) => {
      const token = tokenIn(ports.tokens, { call, kinds: KINDS });
      if (token === undefined) return notFound();
      const isPending = (await fromStore(() => ports.isPending?.(token))) === true;
      const view = await listsView(ports, token);
      return page(200, askPage({ channel: token.names.channel, isPending, isTest: isTest(token), shown: view }));
    },
  });
}

function listsView({ lists: ports }: TrackerPorts, token: NamedToken): Promise<ListsView | undefined> {
  if (ports === undefined) return Promise.resolve(undefined);
  return fromStore(async () => {
    const lists = await ports.offered(token);
    return { lists, joined: await ports.joined(token, lists) };
  });
}

/** Reads for the page. While the store is away it offers the channel alone: nobody is kept from unsubscribing. */
async function fromStore<Read>(read: () => Promise<Read> | undefined): Promise<Read | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isInfrastructure(error)) throw error;
    return undefined;
  }
}

const names = { type: "array", items: { type: "string" } };
const formMembers = {
  action: {
    type: "string",
    description: "`unsubscribe` (also when absent), `undo`, `confirm` (of a pending opt-in) or `lists`.",
  },
  reason: { type: "string" },
  list: { ...names, description: "Lists that the contact wants to be on." },
  shown: { ...names, description: "Lists that it was on when the page was shown." },
};

/** `POST /t/u/{token}`: the page's form, and One-Click of RFC 8058. The same token unsubscribes as often as it is used. */
export function unsubscribeRoute(ports: TrackerPorts): Route {
  return defineOwnAuthRoute({
    method: "POST",
    path: PATH,
    operationId: "unsubscribe",
    summary:
      "Unsubscribes from the channel, subscribes again with `action=undo`, confirms an opt-in with `action=confirm`, or changes lists with `action=lists`.",
    answers: {
      200: {
        description: "It is in the log. The token of a test changes nothing, and the page says so.",
        mediaType: "text/html",
      },
      400: { description: "A list is not among `messaging.preferenceLists`.", mediaType: "text/html" },
      503: { description: "The log is unavailable; for lists also the store.", mediaType: "text/html" },
      ...answers,
    },
    rateClass: "tracking",
    bodyRules: { bytesMax: FORM_BYTES, mediaTypes: [...FORMS, ""], parseErrorStatus: 400 },
    bodySchema: { type: "object", properties: formMembers },
    handler: (call) => run(ports, call),
  });
}

async function run(ports: TrackerPorts, call: Call): Promise<Answer> {
  const token = tokenInRaw(ports.tokens, { call, kinds: KINDS });
  if (token === undefined) return notFound();
  if (isTest(token)) return page(200, testPage());
  const form = formOf(call);
  const action = form.get("action");
  try {
    if (action === "lists") return await chooseLists(ports, { token, call, form });
    return await updateChannel(ports, { token, call, wish: wishNamed(action), reason: reasonOf(form) });
  } catch (error) {
    if (!isInfrastructure(error)) throw error;
    return page(503, tryLaterPage(), { "Retry-After": String(RETRY_SECONDS) });
  }
}

interface PostedLists {
  readonly token: NamedToken;
  readonly call: Call;
  readonly form: URLSearchParams;
}

async function chooseLists(ports: TrackerPorts, { token, call, form }: PostedLists): Promise<Answer> {
  const lists = (await ports.lists?.offered(token)) ?? [];
  const choice = listChoiceOf(form, lists);
  if (choice === undefined) return page(400, unknownListPage());
  const { requestId, receivedAtMs: atMs } = call;
  for (const append of listAppendsOf({ token, ...changesOf(choice), requestId, atMs })) {
    await ports.producer.append(append);
  }
  return page(200, listsSavedPage({ lists, joined: choice.wanted }, choice.before));
}

/** Tests of a message change nothing. */
function isTest({ type }: NamedToken): boolean {
  return type === "t";
}

const WISHES = ["confirm", "undo"] as const;
type NamedWish = (typeof WISHES)[number] | "unsubscribe";

/** Returns the wish that a form names; One-Click names none and unsubscribes. */
function wishNamed(action: string | null): NamedWish {
  return WISHES.find((wish) => wish === action) ?? "unsubscribe";
}

interface Posted {
  readonly token: NamedToken;
  readonly call: Call;
  readonly wish: NamedWish;
  readonly reason: string | undefined;
}

async function updateChannel({ producer }: TrackerPorts, { token, call, wish, reason }: Posted): Promise<Answer> {
  const answer = page(200, pageAfter[wish](token.names.channel));
  const { requestId, receivedAtMs: atMs } = call;
  const isOver = wish === "unsubscribe";
  await producer.append(wishOf({ token, status: isOver ? "unsubscribed" : "subscribed", requestId, atMs }));
  const optout = isOver ? appendOf([{ name: "optout", token, requestId, atMs, reason }]) : undefined;
  if (optout !== undefined) await producer.append(optout);
  return answer;
}

const pageAfter = { unsubscribe: unsubscribedPage, undo: subscribedPage, confirm: confirmedPage } as const;

/** A body in another form, as One-Click may send it, says nothing more than that it was posted. */
function formOf({ bytes, mediaType }: Call): URLSearchParams {
  return new URLSearchParams(mediaType === FORMS[0] ? bytes.toString("utf8") : "");
}

function reasonOf(form: URLSearchParams): string | undefined {
  const reason = (form.get("reason") ?? "").replaceAll(/\p{Cc}+/gu, " ").trim();
  return reason === "" ? undefined : reason.slice(0, REASON_CHARACTERS).toWellFormed();
}

/** Choice of a person on the page. */
interface ListChoice {
  /** Lists that it was on when the page was shown. */
  readonly before: ReadonlySet<string>;
  /** Lists that it wants to be on. */
  readonly wanted: ReadonlySet<string>;
}

/** Reads the members `list` (chosen) and `shown` (chosen before) of the form; undefined when one is a list that is not offered. */
function listChoiceOf(form: URLSearchParams, lists: readonly OfferedList[]): ListChoice | undefined {
  const offered = new Set(lists.map(({ name }) => name));
  const [before, wanted] = [new Set(form.getAll("shown")), new Set(form.getAll("list"))];
  return before.isSubsetOf(offered) && wanted.isSubsetOf(offered) ? { before, wanted } : undefined;
}

/** Returns the lists that the choice joins and leaves. */
function changesOf({ before, wanted }: ListChoice): { readonly joins: string[]; readonly leaves: string[] } {
  return { joins: [...wanted.difference(before)], leaves: [...before.difference(wanted)] };
}
