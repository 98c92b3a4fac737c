import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

const ATTACHMENT_BYTES = 3 * 1024 * 1024 - 3;
const MIB = 1024 * 1024;
const HTML_CHARACTERS = 100_000;
let world: SenderWorld;
beforeAll(async () => {
  world = await senderWorld();
  const transport = { name: "main", channel: "email", type: "smtp", default: true };
  await world.otherCall("POST", "/v2/transports", { ...transport, settings: { host: "mail.example.com" } });
});
afterAll(() => world.close());

const attachments = [
  { filename: "large.pdf", contentType: "application/pdf", content: Buffer.alloc(ATTACHMENT_BYTES).toString("base64") },
];

function templateOf(key: string, html: string) {
  return {
    ...{ key, name: key, channel: "email", classification: "transactional", baseAggregation: "daily" },
    message: {
      headers: { subject: "Hello", fromEmail: "news@example.com", fromDesc: "Shop" },
      content: { "text/html": html },
    },
  };
}

async function sentOf(account: "mine" | "other"): Promise<number> {
  const is = account === "mine" ? "=" : "<>";
  const text = `SELECT count(*) AS count FROM sends WHERE account ${is} $1 AND state = 'sent'`;
  const [row] = await world.postgres.query<{ count: number }>({ text }, [world.account.number]);
  return Number(row?.count);
}

const large = `<p>${"x ".repeat(HTML_CHARACTERS / 2)}</p>`;
test.each([
  // Half of the memory, at three copies of four million characters each.
  {
    what: "attachments",
    messageBytesMax: 192 * MIB,
    html: "<p>Hello</p>",
    more: { attachments },
    mails: 20,
    heldMax: 8,
  },
  // Half of the memory, at two bytes for each character of HTML and text, and the composed mail.
  { what: "content", messageBytesMax: 4 * MIB, html: large, more: {}, mails: 12, heldMax: 5 },
])(
  "mails with large $what to a server that hangs leave memory to another account's, and go when it answers",
  async ({ what, messageBytesMax, html, more, mails, heldMax }) => {
    for (const call of [world.call, world.otherCall])
      expect((await call("POST", ROOT, templateOf(what, html))).status).toBe(201);
    const before = { mine: await sentOf("mine"), other: await sentOf("other") };
    const answered = Promise.withResolvers<void>();
    world.answer(async ({ address }) => {
      if (address.startsWith(`${what}-held`)) await answered.promise;
      return { outcome: { kind: "sent" }, code: 250, text: "queued" };
    });
    const send = (call: SenderWorld["call"] | SenderWorld["otherCall"], name: string) =>
      call("POST", `${ROOT}/${what}/send`, { to: [{ email: `${what}-${name}@example.org` }], ...more });
    for (let n = 0; n < mails; n++) expect((await send(world.call, `held${n}`)).status).toBe(200);
    const sender = world.sender({ messageBytesMax });
    sender.start();
    const held = () => world.mails.filter(({ address }) => address.startsWith(`${what}-held`)).length;
    await expect.poll(held, { timeout: 60_000 }).toBeGreaterThan(2);
    for (let n = 0; n < 3; n++) {
      expect((await send(world.otherCall, `quick${n}`)).status).toBe(200);
      await expect.poll(() => sentOf("other")).toBe(before.other + n + 1);
    }
    expect(held()).toBeLessThanOrEqual(heldMax);
    answered.resolve();
    await expect.poll(() => sentOf("mine")).toBe(before.mine + mails);
    await sender.stop();
  },
);
