import { createHmac } from "node:crypto";
import { compile } from "html-to-text";
import { DomUtils, parseDocument } from "htmlparser2";
import { Liquid } from "liquidjs";
import { createTransport } from "nodemailer";
import { dkimKey } from "./composer.ts";
import { LETTER_HEADERS, letterHtml } from "./letter.ts";

const TRACKER = "https://t.example.com/t";
const [engine, html, toText] = [new Liquid({ outputEscape: "escape" }), letterHtml(), compile({ wordwrap: false })];
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
  const token = (place: string) => createHmac("sha256", "key").update(`${cID} ${place}`).digest("base64url");
  const links = { unsubscribe: `${TRACKER}/u/${token("u")}`, view: `${TRACKER}/v/${token("v")}` };
  const context = { contact: { cID, attributes: { name: `Ann ${contact}`, tier: "gold" } }, links };
  const rendered: string = await engine.parseAndRender(html, context);
  const subject: string = await engine.parseAndRender(LETTER_HEADERS.subject, context);
  const document = parseDocument(rendered);
  for (const [place, link] of DomUtils.getElementsByTagName("a", document).entries()) {
    link.attribs.href = `${TRACKER}/c/${token(`${place} ${link.attribs.href}`)}`;
  }
  const tracked = DomUtils.getOuterHTML(document);
  return transport.sendMail({
    ...{ from: { name: LETTER_HEADERS.fromDesc, address: LETTER_HEADERS.fromEmail }, subject },
    ...{ to: `ann${contact}@example.com`, html: tracked, text: toText(tracked) },
    list: { unsubscribe: links.unsubscribe },
  });
}
