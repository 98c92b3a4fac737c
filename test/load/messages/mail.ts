import type { FrozenMessage } from "@headwater/messaging/frozen/frozenMessage";

/** Bytes of the rendered HTML, about. */
const MAIL_BYTES = 30_000;
const STYLE = "font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:22px;color:#333333;padding:8px 24px;";

/** Liquid and HTML of a letter as shops send them: rows of tables whose styles stand in the elements, and a link in each. */
export function mailHtml(): string {
  const head = `<!doctype html><html><head><meta charset="utf-8"><title>News</title></head><body style="margin:0;background:#f4f4f4;">`;
  const greeting = `<p style="${STYLE}">Hello {{ contact.attributes.name | default: "there" }}, {{ contact.cID }}</p>`;
  const foot = `<p style="${STYLE}"><a href="{{ links.unsubscribe }}">Unsubscribe</a> <a href="{{ links.view }}">View</a></p></body></html>`;
  let rows = "";
  for (let index = 0; head.length + greeting.length + rows.length + foot.length < MAIL_BYTES; index++)
    rows += row(index);
  return `${head}${greeting}${rows}${foot}`;
}

function row(position: number): string {
  const text = "A sentence about the product that says what it is made of, and for whom. ".repeat(6);
  return `<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="background:#ffffff;margin:0 auto;"><tr>
    <td style="${STYLE}"><h2 style="${STYLE}">Product ${position}</h2><p style="${STYLE}">${text}</p>
    {% if contact.attributes.tier == "gold" %}<b style="${STYLE}">{{ ${position} | plus: 10 }} % off</b>{% endif %}
    <a href="https://shop.example.com/p/${position}?utm_source=mail&amp;utm_campaign=news" data-name="p${position}" style="${STYLE}">See product ${position}</a></td></tr></table>`;
}

export const MAIL_HEADERS = {
  subject: "News for {{ contact.cID }}",
  fromEmail: "news@example.com",
  fromDesc: "Shop",
} as const;

/** Returns the letter as a started message keeps it. */
export function frozenMail(): FrozenMessage {
  const html = mailHtml();
  return {
    ...{ channel: "email", classification: "promotional", includes: {}, transportId: null, trackLinks: true },
    ...{
      trackOpens: true,
      priority: 2,
      bcc: null,
      tags: [],
      audienceKeys: [],
      name: "news",
      key: null,
      strict: false,
      holdoutPercent: 0,
    },
    onUnknown: "skip",
    content: {
      message: { headers: { ...MAIL_HEADERS }, content: { "text/html": html } },
      ...{ html, includes: [] },
    },
  };
}
