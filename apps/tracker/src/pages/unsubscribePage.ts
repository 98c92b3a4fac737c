import { escapeHtml, htmlPage } from "./html.ts";

/** Characters of a reason that are kept. */
export const REASON_CHARACTERS = 200;

const channelNames: Readonly<Record<string, string>> = { email: "emails", sms: "text messages", push: "notifications" };

function messagesOf(channel: string): string {
  return channelNames[channel] ?? `messages by ${channel}`;
}

/** Asks before it unsubscribes: links are followed by machines, too. */
export function askPage(channel: string): string {
  return htmlPage(
    "Unsubscribe",
    `<p>You will get no more ${escapeHtml(messagesOf(channel))} of this kind.</p>
<form method="post">
<label>Why? (optional)
<textarea name="reason" rows="3" maxlength="${REASON_CHARACTERS}"></textarea></label>
<button name="action" value="unsubscribe">Unsubscribe</button>
</form>`,
  );
}

export function unsubscribedPage(channel: string): string {
  return htmlPage(
    "You are unsubscribed",
    `<p>You will get no more ${escapeHtml(messagesOf(channel))} of this kind.</p>
<form method="post"><button name="action" value="undo">Subscribe again</button></form>`,
  );
}

export function subscribedPage(channel: string): string {
  return htmlPage(
    "You are subscribed again",
    `<p>You will get ${escapeHtml(messagesOf(channel))} as before.</p>
<form method="post"><button name="action" value="unsubscribe">Unsubscribe</button></form>`,
  );
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
