import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

const MAILS = 20;
const BYTES = 3 * 1024 * 1024 - 3;
let world: SenderWorld;
beforeAll(async () => {
  world = await senderWorld();
});
afterAll(() => world.close());

const attachments = [
  { filename: "large.pdf", contentType: "application/pdf", content: Buffer.alloc(BYTES).toString("base64") },
];
const template = {
  ...{ key: "invoice", name: "invoice", channel: "email", classification: "transactional", baseAggregation: "daily" },
  message: {
    headers: { subject: "Hello", fromEmail: "news@example.com", fromDesc: "Shop" },
    content: { "text/html": "<p>Hello</p>" },
  },
};

async function sentOf(account: "mine" | "other"): Promise<number> {
  const is = account === "mine" ? "=" : "<>";
  const text = `SELECT count(*) AS count FROM sends WHERE account ${is} $1 AND state = 'sent'`;
  const [row] = await world.postgres.query<{ count: number }>({ text }, [world.account.number]);
  return Number(row?.count);
}

test("twenty mails with large attachments to a server that hangs leave memory to another account's, and go when it answers", async () => {
  const settings = { host: "mail.example.com" };
  await world.otherCall("POST", "/v2/transports", {
    ...{ name: "main", channel: "email", type: "smtp", default: true, settings },
  });
  for (const call of [world.call, world.otherCall]) expect((await call("POST", ROOT, template)).status).toBe(201);
  const answered = Promise.withResolvers<void>();
  world.answer(async ({ address }) => {
    if (address.startsWith("held")) await answered.promise;
    return { outcome: { kind: "sent" }, code: 250, text: "queued" };
  });
  const send = (call: SenderWorld["call"] | SenderWorld["otherCall"], email: string) =>
    call("POST", `${ROOT}/invoice/send`, { to: [{ email }], attachments });
  for (let n = 0; n < MAILS; n++) expect((await send(world.call, `held${n}@example.org`)).status).toBe(200);
  const sender = world.sender();
  sender.start();
  const held = () => world.mails.filter(({ address }) => address.startsWith("held")).length;
  await expect.poll(held).toBeGreaterThan(2);
  for (let n = 0; n < 3; n++) {
    expect((await send(world.otherCall, `quick${n}@example.org`)).status).toBe(200);
    await expect.poll(() => sentOf("other")).toBe(n + 1);
  }
  // Half of the memory, at three copies of four million characters each.
  expect(held()).toBeLessThanOrEqual(8);
  answered.resolve();
  await expect.poll(() => sentOf("mine")).toBe(MAILS);
  await sender.stop();
});
