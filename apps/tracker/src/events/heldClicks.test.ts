import { expect, test } from "vitest";
import { HeldClicks } from "./heldClicks.ts";
import type { MessageEvent } from "./messageEvent.ts";

const names = { accountId: "a", cID: "c", channel: "email", composedAt: 0 };
const click = (place: number, contact = "c"): MessageEvent => ({
  name: "click",
  requestId: `r${place}`,
  atMs: 0,
  token: {
    kind: "click",
    type: "b",
    account: 1,
    contact: 1,
    n: 1,
    message: "m",
    names: { ...names, cID: contact },
    link: { place, url: "https://x.example/" },
  },
});

function hold() {
  const released: (readonly [number | undefined, string | undefined])[] = [];
  const clicks = new HeldClicks((events) => {
    for (const { token, robot } of events) released.push([token.link?.place, robot]);
  });
  return { clicks, released };
}

test("clicks are given on after two seconds, and two links of a message are a person's", () => {
  const { clicks, released } = hold();
  clicks.add(click(1), 0);
  clicks.add(click(2), 500);
  clicks.add(click(2), 900);
  clicks.releaseDue(1_999);
  expect(released).toEqual([]);
  clicks.releaseDue(2_000);
  expect(released).toEqual([
    [1, undefined],
    [2, undefined],
    [2, undefined],
  ]);
});

test("three links of one message within two seconds are a machine's, the first of them too", () => {
  const { clicks, released } = hold();
  for (const place of [1, 2, 3]) clicks.add(click(place), place);
  clicks.add(click(4, "another"), 4);
  clicks.releaseAll();
  expect(released).toEqual([
    [1, "many-links"],
    [2, "many-links"],
    [3, "many-links"],
    [4, undefined],
  ]);
});

test("whoever follows the hidden link is a machine", () => {
  const { clicks, released } = hold();
  clicks.add(click(1), 0);
  clicks.addHidden(click(0), 1);
  clicks.releaseAll();
  expect(released).toEqual([[1, "hidden-link"]]);
});

test("no more than 100,000 are held: the oldest go on early", () => {
  const { clicks, released } = hold();
  for (let place = 0; place < 100_002; place += 1) clicks.add(click(place, `c${place}`), 0);
  expect(released).toEqual([
    [0, undefined],
    [1, undefined],
  ]);
});
