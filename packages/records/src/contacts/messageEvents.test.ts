import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { addressOf, isValidChannel, subscribeStatusOf } from "./model.ts";
import { writeContact } from "./writeContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "events", settings: defaultSettings };
const at = (position: number) =>
  versionOf(1_767_225_600_000 + position, { lane: 1, partition: 0, offset: position, place: 0 });
const operation = (name: string) => {
  const found = loggedOperations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

/** A contact's state with the suppressions that its records made. */
class ReportedContact {
  readonly state = new MemoryState();
  readonly suppressed = new Set<string>();
  readonly account: Account;

  constructor(own: Account = account) {
    this.account = own;
    this.upsert(1, { channels: { email: { address: "ada@example.com", subscribeStatus: "subscribed" } } });
  }

  upsert(place: number, attributes: object, forceSubscribe = false): void {
    const contact = { identifiers: { customer_id: "7" }, attributes, canBeCreated: true, canBeUpdated: true };
    this.#apply("upsertContact", place, { contact: { ...contact, forceSubscribe } });
  }

  /** Reports an event as a sending system, the tracker or returned mail does. */
  report(place: number, name: string, properties: object = {}, day = 1): void {
    const time = new Date(Date.UTC(2026, 0, day)).toISOString();
    this.#apply("createContactactivities", place, {
      contact: { identifiers: { customer_id: "7" } },
      event: { name, time, properties },
    });
  }

  /** Unsubscribes as `/v2` does. */
  unsubscribe(place: number, channel = "email"): void {
    const contact = {
      identifiers: { customer_id: "7" },
      attributes: { channels: { [channel]: { subscribeStatus: "unsubscribed" as const } } },
      canBeUpdated: true,
    };
    const origin = { account, recordId: `v2-${place}`, version: at(place) };
    this.state.write(account, (state) => writeContact(state, { contact, lists: {} }, origin));
    this.#note();
  }

  get channel() {
    const row = this.state.contacts.get(1);
    if (row === undefined) throw new Error("no contact");
    const contact = fromRow(row);
    const state = contact.channels.get("email") ?? {};
    return {
      status: subscribeStatusOf(state),
      isValid: isValidChannel("email", state, addressOf(contact, "email", "email")),
    };
  }

  get suppressions(): string[] {
    return [...this.suppressed].sort();
  }

  #apply(name: string, place: number, members: object): void {
    const record = { id: `r${place}`, receivedAt: place, ...members };
    const [outcome] = this.state.apply(this.account, [{ operation: operation(name), record, version: at(place) }]);
    expect(outcome?.kind).not.toBe("rejected");
    this.#note();
  }

  #note(): void {
    for (const { channel, address, because } of this.state.lastChanges?.suppressions ?? []) {
      if (because === "resubscribed") this.suppressed.delete(`${channel} ${address} complaint`);
      else this.suppressed.add(`${channel} ${address} ${because}`);
    }
  }
}

let reported: ReportedContact;
beforeEach(() => {
  reported = new ReportedContact();
});

describe("a report of a message", () => {
  test("called optout unsubscribes the channel it names, and email when it names none", () => {
    reported.report(2, "optout", { channel: "sms" });
    expect(reported.channel.status).toBe("subscribed");
    reported.report(3, "optout");
    expect([reported.channel, reported.suppressions]).toEqual([{ status: "unsubscribed", isValid: true }, []]);
  });

  test("called complaint unsubscribes and suppresses until the contact forces a subscribe", () => {
    reported.report(2, "complaint", { channel: "email" });
    expect([reported.channel.status, reported.suppressions]).toEqual([
      "unsubscribed",
      ["email ada@example.com complaint"],
    ]);
    reported.upsert(3, { channels: { email: { subscribeStatus: "subscribed" } } }, true);
    expect([reported.channel.status, reported.suppressions]).toEqual(["subscribed", []]);
    reported.upsert(4, { channels: { email: { subscribeStatus: "subscribed" } } });
    expect(reported.channel.status).toBe("subscribed");
  });

  test.each([{}, { bounceType: "hard" }])(
    "called bounce with %j makes the address invalid and suppresses it",
    (kind) => {
      reported.report(2, "bounce", kind);
      expect(reported.channel).toEqual({ status: "subscribed", isValid: false });
      expect(reported.suppressions).toEqual(["email ada@example.com hard-bounce"]);
      reported.upsert(3, { channels: { email: { address: "new@example.com" } } });
      expect(reported.channel.isValid).toBe(true);
      reported.upsert(4, { channels: { email: { address: "ada@example.com" } } });
      expect(reported.channel.isValid).toBe(false);
    },
  );

  test("of soft bounces counts days: five within thirty without an open or click are a hard one", () => {
    const soft = (place: number, day: number) => reported.report(place, "bounce", { bounceType: "soft" }, day);
    for (const day of [1, 1, 2, 3, 4]) soft(day + 10, day);
    expect(reported.channel.isValid).toBe(true);
    reported.report(30, "open", {}, 4);
    for (const day of [5, 6, 7, 40]) soft(day + 40, day);
    reported.report(90, "click", { device: {} }, 1);
    expect(reported.channel.isValid).toBe(true);
    for (const day of [41, 42, 43, 44]) soft(day + 60, day);
    expect([reported.channel.isValid, reported.suppressions]).toEqual([false, ["email ada@example.com hard-bounce"]]);
  });

  test("of soft bounces is counted by the rule of the account", () => {
    const messaging = { ...defaultSettings.messaging, softBounces: { count: 2, days: 3 } };
    const own = new ReportedContact({ ...account, settings: { ...defaultSettings, messaging } });
    const validAfter = (day: number) => {
      own.report(day + 10, "bounce", { bounceType: "soft" }, day);
      return own.channel.isValid;
    };
    expect([1, 4, 7, 9].map(validAfter)).toEqual([true, true, true, false]);
  });

  test("naming a channel by something else than a name changes nothing", () => {
    for (const channel of [7, "", "x".repeat(129), null, {}]) reported.report(2, "optout", { channel: channel ?? 0 });
    expect(reported.channel.status).toBe("subscribed");
  });
});

test("reports end in one state, whichever API they come through and in which order", () => {
  const report = fc.constantFrom("optout", "complaint", "bounce", "v2", "forced", "open");
  const reports = fc.uniqueArray(fc.record({ place: fc.integer({ min: 10, max: 60 }), report }), {
    selector: ({ place }) => place,
    maxLength: 8,
  });
  const endOf = (order: readonly { readonly place: number; readonly report: string }[]) => {
    const own = new ReportedContact();
    for (const { place, report: name } of order) {
      if (name === "v2") own.unsubscribe(place);
      else if (name === "forced") own.upsert(place, { channels: { email: { subscribeStatus: "subscribed" } } }, true);
      else own.report(place, name, { channel: "email" });
    }
    return { ...own.channel, hardBounced: own.suppressions.includes("email ada@example.com hard-bounce") };
  };
  fc.assert(
    fc.property(
      reports.chain((input) => fc.tuple(fc.constant(input), fc.shuffledSubarray(input, { minLength: input.length }))),
      ([provided, shuffled]) => void expect(endOf(shuffled)).toEqual(endOf(provided)),
    ),
  );
  const reportedOf = (names: readonly string[]) =>
    endOf(names.map((name, index) => ({ place: 10 + index, report: name })));
  expect(reportedOf(["optout"])).toEqual(reportedOf(["v2"]));
  expect(reportedOf(["v2", "optout", "v2"])).toEqual(reportedOf(["optout"]));
});
