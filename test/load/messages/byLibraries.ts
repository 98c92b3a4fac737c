import { createHmac } from "node:crypto";
import { compile } from "html-to-text";
import { DomUtils, parseDocument } from "htmlparser2";
import { Liquid } from "liquidjs";
import { createTransport } from "nodemailer";
import { dkimKey } from "./composer.ts";
import { MAIL_HEADERS, mailHtml } from "./mail.ts";

const TRACKER = "https://t.example.com/t";
const [engine, html, toText] = [new Liquid({ outputEscape: "escape" }), mailHtml(), compile({ wordwrap: false })];
const { domain: domainName, selector: keySelector, privateKey } = dkimKey;
const transport = createTransport({
  streamTransport: true,
  buffer: true,
  newline: "windows",
  dkim: { domainName, keySelector, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
});

/** Makes the letter by the libraries one after the other, as their manuals have it: Liquid, links, text, MIME and signature. */
export async function byLibraries(contact: number): Promise<unknown> {
  const cID = String(contact).padStart(24, "0");
  const token = (position: string) => createHmac("sha256", "key").update(`${cID} ${position}`).digest("base64url");
  const links = { unsubscribe: `${TRACKER}/u/${token("u")}`, view: `${TRACKER}/v/${token("v")}` };
  const context = { contact: { cID, attributes: { name: `Ann ${contact}`, tier: "gold" } }, links };
  const rendered: string = await engine.parseAndRender(html, context);
  const subject: string = await engine.parseAndRender(MAIL_HEADERS.subject, context);
  const document = parseDocument(rendered);
  for (const [index, link] of DomUtils.getElementsByTagName("a", document).entries()) {
    link.attribs.href = `${TRACKER}/c/${token(`${index} ${link.attribs.href}`)}`;
  }
  const tracked = DomUtils.getOuterHTML(document);
  return transport.sendMail({
    ...{ from: { name: MAIL_HEADERS.fromDesc, address: MAIL_HEADERS.fromEmail }, subject },
    ...{ to: `ann${contact}@example.com`, html: tracked, text: toText(tracked) },
    list: { unsubscribe: links.unsubscribe },
  });
}
