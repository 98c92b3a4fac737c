import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mcIdOf, type SendNames, sendTypes, type TrackingToken, tokenKinds } from "./trackingToken.ts";
import { createTrackingTokens } from "./trackingTokens.ts";

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const tokens = createTrackingTokens([first]);

const hexId = fc.stringMatching(/^[0-9a-f]{24}$/);
const text = (maxLength: number) => fc.string({ unit: "grapheme", maxLength });
const id = fc.oneof(hexId, text(40));
const period = fc.oneof(fc.constant(""), fc.stringMatching(/^:d[0-9]{6}$/), fc.stringMatching(/^:h[0-9]{8}$/));
const message = fc.tuple(id, period).map(([base, end]) => base + end);
const number = fc.oneof(fc.nat(), fc.maxSafeNat());
const names: fc.Arbitrary<SendNames> = fc.record(
  { accountId: id, cID: id, channel: text(20), composedAt: number, variant: text(20) },
  { requiredKeys: ["accountId", "cID", "channel", "composedAt"] },
);
const link = fc.record({ place: number, url: text(200), name: text(30) }, { requiredKeys: ["place", "url"] });
const token: fc.Arbitrary<TrackingToken> = fc.record(
  {
    kind: fc.constantFrom(...tokenKinds),
    type: fc.constantFrom(...sendTypes),
    account: number,
    contact: number,
    n: number,
    message,
    names,
    link,
  },
  { requiredKeys: ["kind", "type", "account", "contact", "n", "message"] },
);

describe("tokens", () => {
  test("give back every field as it was, in any kind and form of ids", () => {
    fc.assert(fc.property(token, (one) => void expect(tokens.open(tokens.seal(one), tokenKinds)).toEqual(one)));
  });

  test("open no more with any character changed, removed or added", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. ";
    const change = fc.record({ at: fc.nat(), to: fc.constantFrom(...alphabet) });
    fc.assert(
      fc.property(token, change, (one, { at, to }) => {
        const sealed = tokens.seal(one);
        const position = at % sealed.length;
        const changed = sealed.slice(0, position) + to + sealed.slice(position + 1);
        const forged = [sealed.slice(0, position), sealed.slice(0, position) + sealed.slice(position + 1), sealed + to];
        for (const other of [...forged, ...(changed === sealed ? [] : [changed])]) {
          expect(tokens.open(other, tokenKinds)).toBeUndefined();
        }
      }),
    );
  });

  test("open neither under another installation's key nor for another purpose", () => {
    const other = createTrackingTokens([second]);
    fc.assert(
      fc.property(token, (one) => {
        expect(other.open(tokens.seal(one), tokenKinds)).toBeUndefined();
        const others = tokenKinds.filter((kind) => kind !== one.kind);
        expect(tokens.open(tokens.seal(one), others)).toBeUndefined();
      }),
    );
  });

  test("made under a former key open while it is kept", () => {
    const both = createTrackingTokens([second, first]);
    fc.assert(fc.property(token, (one) => void expect(both.open(tokens.seal(one), tokenKinds)).toEqual(one)));
  });
});

const send = {
  type: "b",
  account: 70_000,
  contact: 90_000_000,
  n: 1,
  message: "65f0c0ffee65f0c0ffee0001:h26013109",
} as const;

test("a token of the return path fits before the @ of an address", () => {
  expect(tokens.seal({ kind: "return", ...send }).length).toBeLessThanOrEqual(62);
  const batch = { ...send, message: "65f0c0ffee65f0c0ffee0001" };
  expect(tokens.seal({ kind: "return", ...batch }).length).toBeLessThanOrEqual(56);
});

test("no id can be read from a token", () => {
  const own = { accountId: "a".repeat(24), cID: "c".repeat(24), channel: "email", composedAt: 1 };
  const bytes = Buffer.from(tokens.seal({ kind: "view", ...send, names: own }), "base64url");
  for (const one of [own.accountId, own.cID, send.message.slice(0, 24)]) {
    expect(bytes.includes(Buffer.from(one, "hex"))).toBe(false);
    expect(bytes.includes(one)).toBe(false);
  }
});

test("texts that are no tokens open as little as hostile ones", () => {
  const texts = ["", "A", "=", "__proto__", "A".repeat(8_193), "A".repeat(8_192), "..", "\u0000", "é".repeat(40)];
  expect(texts.map((one) => tokens.open(one, tokenKinds))).toEqual(texts.map(() => undefined));
  fc.assert(fc.property(fc.base64String(), (one) => void expect(tokens.open(one, tokenKinds)).toBeUndefined()));
});

test("the mcID is that of the send", () => {
  const own = { accountId: "acc", cID: "c1", channel: "email", composedAt: 1 };
  expect(mcIdOf({ ...send, names: own })).toBe("acc:65f0c0ffee65f0c0ffee0001:h26013109:b:c1:1");
  expect(mcIdOf(send)).toBeUndefined();
});
