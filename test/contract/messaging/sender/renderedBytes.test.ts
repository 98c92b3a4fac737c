import type { AddressInfo } from "node:net";
import { createOutbound } from "@headwater/kernel";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

/** Long lines, lines that begin with a dot, other scripts, entities, values of the contact and of the call. */
const HTML = `<p>Grüße {{ contact.attributes.name }} – 你好 &amp; <b>1 &lt; 2</b></p>
.
..two dots
<p>${"long ".repeat(500)}</p><p>{{ missing }}=3D {{ account.name }}</p><a href="https://shop.example.com/?a=1&amp;b=2">Shop</a>
<a href="{{ links.unsubscribe }}">Leave</a>{% include 'foot' %}`;

let world: SenderWorld;
let server: SMTPServer;
const got: Buffer[] = [];

beforeAll(async () => {
  world = await senderWorld();
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        got.push(Buffer.concat(parts));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await world.close();
});

/** Parts of a mail by their types, decoded. Written from RFC 2045 and 2046, apart from what composes mails. */
function partsOf(mail: Buffer): Map<string, string> {
  const text = mail.toString("latin1");
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(text) ?? [];
  const parts = text.split(`\r\n--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf("\r\n\r\n");
      const [head, body] = [part.slice(0, end), part.slice(end + 4)];
      const [, type = ""] = /content-type: ([^;\r]+)/i.exec(head) ?? [];
      return [type, /transfer-encoding: base64/i.test(head) ? fromBase64(body) : fromQuoted(body)];
    }),
  );
}

const fromBase64 = (body: string) => Buffer.from(body, "base64").toString();
const fromQuoted = (body: string) => {
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString();
};
/** Mails have lines that end in CRLF. */
const lines = (text: string | undefined) => text?.replaceAll("\r\n", "\n").replace(/\n$/, "");

/** Sends the template through the server, with an installation that has no key to track by. @returns the recipient's cID. */
async function sendReal(): Promise<string> {
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const handovers = createHandovers(
    world.postgres,
    createTransportOpener({ ...world.ways, outbound, sealer: undefined }),
  );
  const to = { email: "ada@example.org", name: "Ada <3" };
  const { body } = await world.call("POST", `${ROOT}/news/send`, { to });
  const trackingUrl = "http://127.0.0.1:8450";
  await world.sendAll(world.sender({ handovers, tokens: undefined, trackingUrl }));
  await handovers.close();
  await outbound.close();
  return body.messagecontacts[0].cID;
}

test("render routes show the bytes that a send hands over to a real server", async () => {
  const address: AddressInfo | string | null = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const created = await world.call("POST", "/v2/transports", {
    ...{ name: "real", channel: "email", type: "smtp", settings: { host: "127.0.0.1", port, tls: "none" } },
  });
  await world.call("POST", "/v2/includes", { key: "foot", content: "<p>Fuß {{ contact.cID }}</p>" });
  const more = {
    classification: "transactional",
    transportID: created.body.id,
    trackLinks: "disabled",
    trackOpens: false,
  };
  expect((await world.make("news", more, HTML)).status).toBe(201);
  const cid = await sendReal();
  expect(got).toHaveLength(1);
  const parts = partsOf(got[0] ?? Buffer.alloc(0));
  for (const route of ["renderpublished", "renderdraft"]) {
    const { status, body } = await world.call("GET", `${ROOT}/news/${route}/${cid}`);
    expect(status).toBe(200);
    expect(lines(parts.get("text/html"))).toBe(lines(body.content["text/html"]));
    expect(lines(parts.get("text/plain"))).toBe(lines(body.content["text/plain"]));
    expect(got[0]?.toString()).toContain(`Subject: ${body.headers.subject}`);
  }
  expect(parts.get("text/html")).toContain("Ada &lt;3");
});
