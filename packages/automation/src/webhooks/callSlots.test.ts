import { expect, test } from "vitest";
import { createCallSlots, type Endpoint } from "./callSlots.ts";

const PER_ENDPOINT = 10;

/** Opens calls to endpoints in turn, as if all of them hung, until none admits another one. */
function fill(slots: ReturnType<typeof createCallSlots>, endpoints: readonly Endpoint[]): Map<Endpoint, number> {
  const held = new Map<Endpoint, number>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const endpoint of endpoints) {
      if (slots.capacityOf(endpoint) === 0) continue;
      slots.take(endpoint);
      held.set(endpoint, (held.get(endpoint) ?? 0) + 1);
      isMore = true;
    }
  }
  return held;
}

const endpointsOf = (account: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ account, webhook: `w${index}` }));

const one: Endpoint = { account: 1, webhook: "one" };

/** Calls an endpoint that answers so. */
function call(slots: ReturnType<typeof createCallSlots>, endpoint: Endpoint, isDelivered: boolean): void {
  slots.take(endpoint);
  slots.give(endpoint, isDelivered);
}

test("an endpoint begins with two calls, has one more with each success, ten at most, and one after a failure", () => {
  const slots = createCallSlots(256, PER_ENDPOINT);
  const capacities = Array.from({ length: 10 }, () => {
    const capacity = slots.capacityOf(one);
    call(slots, one, true);
    return capacity;
  });
  expect(capacities).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 10]);
  call(slots, one, false);
  expect([...fill(slots, [one]).values()]).toEqual([1]);
});

test("a slot that was not used changes nothing", () => {
  const slots = createCallSlots(256, PER_ENDPOINT);
  slots.take(one);
  slots.give(one);
  expect(slots.capacityOf(one)).toBe(2);
});

test("sixty endpoints of an account that hang leave slots for its next endpoint and for other accounts", () => {
  const slots = createCallSlots(256, PER_ENDPOINT);
  const held = fill(slots, endpointsOf(1, 60));
  expect([...new Set(held.values())]).toEqual([2]);
  expect(slots.capacityOf({ account: 1, webhook: "next" })).toBe(2);
  expect(slots.capacityOf({ account: 2, webhook: "w0" })).toBe(2);
});

test("accounts whose endpoints all hang leave slots for the next account", () => {
  const slots = createCallSlots(256, PER_ENDPOINT);
  const accounts = [1, 2, 3, 4, 5].flatMap((account) => endpointsOf(account, 60));
  for (const endpoint of accounts) for (let count = 0; count < 9; count += 1) call(slots, endpoint, true);
  fill(slots, accounts);
  expect(slots.capacityOf({ account: 6, webhook: "w0" })).toBeGreaterThan(0);
});

test("a capacity that is used up at once admits no further call", () => {
  for (const count of [1, 3, 20, 60]) {
    const slots = createCallSlots(64, PER_ENDPOINT);
    for (const endpoint of endpointsOf(1, count)) {
      const capacity = slots.capacityOf(endpoint);
      for (let taken = 0; taken < capacity; taken++) slots.take(endpoint);
      expect(slots.capacityOf(endpoint)).toBe(0);
    }
  }
});
