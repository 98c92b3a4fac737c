import { createAccount } from "@headwater/accounts/accounts/accounts";
import { type Account, accountSettings } from "@headwater/contracts";
import { createLogger, type ManualClock, manualClock } from "@headwater/kernel";
import { composeMail } from "@headwater/messaging/compose/composeMail";
import type { Delivered, OutgoingMail } from "@headwater/messaging/frozen/handover";
import type { OpenTransport } from "@headwater/messaging/sending/transports/handovers";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AlertMailPorts, deliverAlertMails, type MailOutcome } from "./deliverMails.ts";
import { insertAlertMails } from "./mailRows.ts";

const MINUTE = 60_000;
const logger = createLogger({ name: "test", level: "silent" });

let memory: MemoryPostgres;
let postgres: Postgres;
let account: Account;
let clock: ManualClock;
let handed: OutgoingMail[];
let answer: Delivered["outcome"];
let transport: Partial<OpenTransport> | undefined;
let outcomes: MailOutcome[];

beforeAll(async () => {
  memory = await startMemoryPostgres();
  postgres = memory.postgres;
  const created = { id: "a".repeat(24), name: "Shop", settings: accountSettings.parse({}) };
  account = await createAccount(postgres, created);
});
afterAll(() => memory.stop());
beforeEach(async () => {
  await postgres.execute({ text: "DELETE FROM alert_mails" });
  [clock, handed, outcomes, transport] = [manualClock(Date.UTC(2026, 0, 5)), [], [], {}];
  answer = { kind: "sent" };
  const mail = { notice: "a1/1/raised", address: "ops@example.com", subject: "S <b>", body: "a < b\n" };
  const of = { account: account.number, nowMs: clock.nowMs() };
  // Inserted twice: one mail.
  for (const _ of [1, 2]) await insertAlertMails(postgres, of, [mail]);
});

function ports(more: Partial<AlertMailPorts> = {}): AlertMailPorts {
  const open: OpenTransport = {
    ...{ id: "t1", type: "smtp", updatedAt: 0, dkim: [], rates: {} },
    handover: {
      deliver: async (mail) => {
        handed.push(mail);
        return { outcome: answer };
      },
      close: async () => undefined,
    },
    ...transport,
  };
  return {
    ...{ postgres, clock, logger, from: "Headwater <ops@headwater.example>", sendMail: undefined },
    renders: { compose: (_, mail) => composeMail(mail) },
    handovers: { of: async () => (transport === undefined ? undefined : open) },
    onOutcome: (outcome) => void outcomes.push(outcome),
    ...more,
  };
}

const left = async () => (await postgres.query({ text: "SELECT attempts FROM alert_mails" })).length;

test("a mail is handed over once, from a domain of the transport, as text and as escaped HTML", async () => {
  transport = { fromDomains: ["shop.example"] };
  await deliverAlertMails(ports());
  await deliverAlertMails(ports());
  expect(handed).toMatchObject([
    {
      address: "ops@example.com",
      returnPath: "alerts@shop.example",
      content: { "text/html": "<pre>a &lt; b\n</pre>" },
    },
  ]);
  expect([outcomes, await left()]).toEqual([["sent"], 0]);
});

test("a mail whose process is killed before it stored the outcome is handed over again, the same to the byte", async () => {
  const killed: Postgres = {
    ...postgres,
    execute: async () => {
      throw new Error("killed");
    },
  };
  await deliverAlertMails(ports({ postgres: killed }));
  await deliverAlertMails(ports());
  expect(handed).toHaveLength(1);
  clock.advance(MINUTE);
  await deliverAlertMails(ports());
  const [first, again, ...others] = handed;
  expect([first?.raw?.equals(again?.raw ?? Buffer.alloc(0)), others, await left()]).toEqual([true, [], 0]);
});

test.each([
  ["hard-bounce", ["refused"], 0],
  ["unknown", ["retried"], 1],
] as const)("an answer %s ends as %j, and leaves %i to be tried again", async (kind, expected, rows) => {
  answer = { kind };
  await deliverAlertMails(ports());
  expect([outcomes, await left()]).toEqual([expected, rows]);
});

test("a mail that is deferred is tried six times, and given up", async () => {
  answer = { kind: "deferred", slowsDown: false };
  for (let hours = 0; hours < 12; hours += 1) {
    await deliverAlertMails(ports());
    clock.advance(60 * MINUTE);
  }
  expect([handed.length, outcomes.at(-1), await left()]).toEqual([6, "refused", 0]);
});

test("an account without a transport has its mails sent by the server of the installation, or by nobody", async () => {
  transport = undefined;
  const sent: string[] = [];
  await deliverAlertMails(ports({ sendMail: async ({ to, messageId }) => void sent.push(`${to} ${messageId}`) }));
  expect(sent).toEqual([expect.stringMatching(/^ops@example\.com <[\w.-]+@headwater\.invalid>$/)]);
  await insertAlertMails(postgres, { account: account.number, nowMs: clock.nowMs() }, [
    { notice: "a2", address: "ops@example.com", subject: "S", body: "b" },
  ]);
  await deliverAlertMails(ports());
  expect([outcomes, await left()]).toEqual([["sent", "unsent"], 0]);
});

test("a service that puts mails together gets the parts of one", async () => {
  transport = { type: "http" };
  await deliverAlertMails(ports());
  expect(handed[0]).toMatchObject({ relayed: { headers: { "Auto-Submitted": "auto-generated" } } });
  expect(handed[0]?.raw).toBeUndefined();
});
