import type { ListsView } from "../preferences/offeredLists.ts";
import { escapeHtml, htmlPage } from "./html.ts";

/** Characters of a reason that are kept. */
export const REASON_CHARACTERS = 200;

const channelNames: Readonly<Record<string, string>> = { email: "emails", sms: "text messages", push: "notifications" };

function messagesOf(channel: string): string {
  return channelNames[channel] ?? `messages by ${channel}`;
}

/** Offer of the page: a channel, and lists unless the store is away or there are none. */
export interface Offer {
  readonly channel: string;
  /** The contact asked for the channel and has not confirmed it yet. */
  readonly isPending?: boolean;
  /** The link stands in a test of the message. */
  readonly isTest?: boolean;
  readonly shown?: ListsView | undefined;
}

/** Asks before it changes anything: links are followed by machines, too. */
export function askPage({ channel, isPending = false, isTest = false, shown: view }: Offer): string {
  const note = isTest ? "<p>This is a test message: nothing that you choose here changes anything.</p>\n" : "";
  const lists = view === undefined ? "" : listsForm(view);
  const leave = `${channelForm(channel)}${lists}`;
  if (!isPending) return htmlPage("Unsubscribe", `${note}${leave}`);
  return htmlPage("Please confirm", `${note}${confirmForm(channel)}<h2>Or unsubscribe</h2>${leave}`);
}

function confirmForm(channel: string): string {
  return `<p>You asked for our ${escapeHtml(messagesOf(channel))}. Please confirm that you want them.</p>
<form method="post"><button name="action" value="confirm">Confirm</button></form>
`;
}

function channelForm(channel: string): string {
  return `<p>You will get no more ${escapeHtml(messagesOf(channel))} of this kind.</p>
<form method="post">
<label>Why? <small>(optional)</small>
<textarea name="reason" rows="3" maxlength="${REASON_CHARACTERS}"></textarea></label>
<button name="action" value="unsubscribe">Unsubscribe</button>
</form>`;
}

const ALL_CHOICES = '<p><a href="">All choices</a></p>';

export function unsubscribedPage(channel: string): string {
  return htmlPage(
    "You are unsubscribed",
    `<p>You will get no more ${escapeHtml(messagesOf(channel))} of this kind.</p>
<form method="post"><button name="action" value="undo">Subscribe again</button></form>
${ALL_CHOICES}`,
  );
}

/** Answers whatever the page of a test message is asked for. */
export function testPage(): string {
  return htmlPage("This is a test message", `<p>Nothing was changed.</p>${ALL_CHOICES}`);
}

export function confirmedPage(channel: string): string {
  return htmlPage(
    "You are subscribed",
    `<p>From now on you will get our ${escapeHtml(messagesOf(channel))}.</p>${ALL_CHOICES}`,
  );
}

export function subscribedPage(channel: string): string {
  return htmlPage(
    "You are subscribed again",
    `<p>You will get ${escapeHtml(messagesOf(channel))} as before.</p>
<form method="post"><button name="action" value="unsubscribe">Unsubscribe</button></form>
${ALL_CHOICES}`,
  );
}

/** @param before names of the lists that the contact was on before. */
export function listsSavedPage(displayed: ListsView, before: ReadonlySet<string>): string {
  const on = displayed.lists.filter(({ name }) => displayed.joined.has(name));
  const items = on.map(({ displayName }) => `<li>${escapeHtml(displayName)}</li>`).join("");
  return htmlPage(
    "Your choice is stored",
    `${on.length === 0 ? "<p>You are on none of these lists.</p>" : `<p>You are on these lists:</p><ul>${items}</ul>`}
${undoListsForm(displayed, before)}
${ALL_CHOICES}`,
  );
}

export function unknownListPage(): string {
  return htmlPage("Not stored", `<p>One of these lists is no longer offered.</p>${ALL_CHOICES}`);
}

export function tryLaterPage(): string {
  return htmlPage("Please try again", "<p>Your wish could not be stored just now. Please try again in a minute.</p>");
}

export function goneMessagePage(): string {
  return htmlPage("No longer available", "<p>This message can no longer be shown.</p>");
}

export function notFoundPage(): string {
  return htmlPage("Not found", "<p>This link is not valid.</p>");
}

/** A form with a box for each list; it says also which were checked, so that a change is known without a store. */
function listsForm({ lists, joined }: ListsView): string {
  if (lists.length === 0) return "";
  const boxes = lists.map(({ name, displayName }) => {
    const checked = joined.has(name) ? " checked" : "";
    const box = `<input type="checkbox" name="list" value="${escapeHtml(name)}"${checked}>`;
    return `<label>${box} ${escapeHtml(displayName)}</label>`;
  });
  return `
<form method="post">
<fieldset><legend>Or choose your lists</legend>
${boxes.join("\n")}
</fieldset>
${hidden("shown", joined)}
<button name="action" value="lists">Save lists</button>
</form>`;
}

/** A form that goes back to the lists of before. */
function undoListsForm({ joined }: ListsView, before: ReadonlySet<string>): string {
  return `<form method="post">${hidden("shown", joined)}${hidden("list", before)}
<button name="action" value="lists">Undo</button></form>`;
}

function hidden(member: "list" | "shown", names: ReadonlySet<string>): string {
  return [...names].map((name) => `<input type="hidden" name="${member}" value="${escapeHtml(name)}">`).join("");
}
