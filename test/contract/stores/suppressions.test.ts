import { createHmac, randomBytes } from "node:crypto";
import { newSuppressionId } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { readErasureSecret } from "@headwater/records/erasures/erasureSecret";
import {
  deleteSuppression,
  forgetSuppressed,
  lift,
  pageSuppressions,
  suppress,
  suppressedAmong,
} from "@headwater/records/suppressions/suppressions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

const NOW = Date.UTC(2026, 0, 9);
let fresh: Fresh<Postgres>;
let accounts = 0;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

const nextAccount = () => {
  accounts += 1;
};

describe("a suppression", () => {
  const of = () => ({ account: accounts, channel: "email" });
  const add = (value: string, reason: "manual" | "complaint", kind: "address" | "domain" = "address") =>
    fresh.store.transaction((transaction) =>
      suppress(transaction, { ...of(), id: newSuppressionId(), target: { kind, value }, reason, nowMs: NOW }),
    );
  const among = (...addresses: readonly string[]) => suppressedAmong(fresh.store, of(), addresses);

  test("holds for an address or all of a domain, in its account and channel alone", async () => {
    nextAccount();
    const name = randomBytes(4).toString("hex");
    await add(`${name}@example.com`, "complaint");
    await add("bad.example", "manual", "domain");
    expect([...(await among(`${name}@example.com`, "b@example.com", "x@bad.example"))]).toEqual([
      [`${name}@example.com`, ["complaint"]],
      ["x@bad.example", ["manual"]],
    ]);
    expect(await suppressedAmong(fresh.store, { ...of(), channel: "sms" }, [`${name}@example.com`])).toEqual(new Map());
    expect(await suppressedAmong(fresh.store, { ...of(), account: 9_999 }, ["x@bad.example"])).toEqual(new Map());
  });

  test("of a domain in Unicode holds for the same domain in ASCII, and the other way round", async () => {
    nextAccount();
    await add("a@münchen.example", "manual");
    await add("b@xn--mnchen-3ya.example", "complaint");
    await add("xn--bcher-kva.example", "manual", "domain");
    const held = ["a@xn--mnchen-3ya.example", "b@münchen.example", "x@bücher.example", "x@xn--bcher-kva.example"];
    expect([...(await among("c@münchen.example", ...held)).keys()]).toEqual(held);
    const lifted = await fresh.store.transaction((transaction) =>
      lift(transaction, { ...of(), address: "b@münchen.example" }, ["complaint"]),
    );
    expect([lifted, (await among("b@xn--mnchen-3ya.example")).size]).toEqual([1, 0]);
  });

  test("of a Unicode domain that was stored before domains had one form still holds as it was written", async () => {
    nextAccount();
    const [value, secret] = ["old@münchen.example", await readErasureSecret(fresh.store)];
    const hash = createHmac("sha256", secret).update(`suppressed\n${accounts}\nemail\naddress\n${value}`).digest("hex");
    const values = [accounts, newSuppressionId(), hash, NOW];
    const text = `INSERT INTO suppressions (account, id, channel, target, hash, shown, reason, note, created_at)
      VALUES ($1, $2, 'email', 'address', $3, NULL, 'manual', NULL, $4)`;
    await fresh.store.execute({ text }, values);
    expect([...(await among(value, "old@xn--mnchen-3ya.example")).keys()]).toEqual([value]);
  });

  test("stands once for a reason, is lifted by reason, and holds on when its address is forgotten", async () => {
    nextAccount();
    const id = await add("a@example.com", "manual");
    expect(await add("a@example.com", "manual")).toBe(id);
    await add("a@example.com", "complaint");
    const lifted = await fresh.store.transaction((transaction) =>
      lift(transaction, { ...of(), address: "a@example.com" }, ["complaint", "erased-unsubscribed"]),
    );
    expect(lifted).toBe(1);
    await fresh.store.transaction((transaction) =>
      forgetSuppressed(transaction, accounts, [{ channel: "email", address: "a@example.com" }]),
    );
    const page = { account: accounts, direction: "asc" as const, skip: 0, rowsMax: 10 };
    expect(await pageSuppressions(fresh.store, page)).toMatchObject([{ id, shown: null, reason: "manual" }]);
    const found = (address: string) =>
      pageSuppressions(fresh.store, {
        ...page,
        addresses: [
          { channel: "sms", address },
          { channel: "email", address },
        ],
      });
    expect(await found("a@example.com")).toHaveLength(1);
    expect(await found("b@example.com")).toEqual([]);
    expect([...(await among("a@example.com")).values()]).toEqual([["manual"]]);
    expect(await fresh.store.transaction((transaction) => deleteSuppression(transaction, accounts, id))).toBe(true);
    expect((await among("a@example.com")).size).toBe(0);
  });
});
