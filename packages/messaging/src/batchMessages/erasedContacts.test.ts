import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { resolveSends } from "../sends/resolveSends.ts";
import type { SendState } from "../sends/sendRow.ts";

const service = serveService([]);
const { send } = service;

/** Stores a message to one contact, with a send in each of the states. @returns its id. */
async function messageTo(email: string, states: readonly SendState[]): Promise<string> {
  await send("createContact", { body: { channels: { email: { address: email } } } });
  await send("createTransport", { body: { name: "Out", channel: "email", type: "log", default: true, settings: {} } });
  const id = String((await send("createBatchmessage")).body.id);
  const begun = "UPDATE batch_messages SET status = 'processing', audience_total = $3 WHERE account = $1 AND id = $2";
  const account = service.account.number;
  await service.postgres.execute({ text: begun }, [account, id, states.length]);
  const text = `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, reason, attempts,
      resends_left, created_at, due_at, at, address, text, owner, claim_until)
    SELECT c.account, $2, c.number, place, 'b', c.cid, 'email', 'promotional', 2, state, CASE state WHEN 'skipped' THEN 'suppressed' END, 1,
      0, 0, 0, 0, $3, 'from the server', 'sender', 0
    FROM contacts c, unnest($4::text[]) WITH ORDINALITY AS s (state, place) WHERE c.account = $1`;
  await service.postgres.execute({ text }, [account, id, email, `{${states.join(",")}}`]);
  return id;
}

test("what was sent to a contact that is erased counts as skipped in `delivery`, also what is on its way meanwhile", async () => {
  const email = "gone@example.com";
  const states = ["sent", "failed", "unknown", "deferred", "pending", "skipped", "sending"] as const;
  const id = await messageTo(email, states);
  const delivery = async () => (await send("getBatchmessage", { params: { id } })).body.delivery;
  const none = { sent: 0, failed: 0, unknown: 0, deferred: 0, pending: 0 };
  expect(await delivery()).toMatchObject({ sent: 1, failed: 1, unknown: 1, deferred: 1, pending: 2 });
  expect((await send("deleteContact", { params: { primary_key: `email:${email}` } })).status).toBe(200);
  expect(await delivery()).toEqual({ ...none, pending: 1, skipped: { erased: 5, suppressed: 1 } });

  const [row] = await service.postgres.query<{ contact: number }>({ text: "SELECT contact FROM sends LIMIT 1" });
  const account = service.account.number;
  const key = { account, message: id, contact: row?.contact ?? 0, n: states.indexOf("sending") + 1 };
  const resolved = {
    ...key,
    attempts: 1,
    state: "sent",
    reason: null,
    code: 250,
    text: `<${email}> ok`,
    dueAt: 0,
  } as const;
  await service.postgres.transaction((transaction) =>
    resolveSends(transaction, [resolved], { account, owner: "sender", nowMs: 1 }),
  );
  expect(await delivery()).toEqual({ ...none, skipped: { erased: 6, suppressed: 1 } });
  expect(await service.postgres.query({ text: "SELECT DISTINCT address, text FROM sends" })).toEqual([
    { address: null, text: null },
  ]);
});
