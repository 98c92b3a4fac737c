import { expect, test } from "vitest";
import { HeldClicks } from "./heldClicks.ts";
import type { MessageEvent } from "./messageEvent.ts";

const names = { accountId: "a", cID: "c", channel: "email", composedAt: 0 };
const click = (position: number, contact = "c"): MessageEvent => ({
  name: "click",
  requestId: `r${position}`,
  atMs: 0,
  token: {
    kind: "click",
    type: "b",
    account: 1,
    contact: 1,
    n: 1,
    message: "m",
    names: { ...names, cID: contact },
    link: { place: position, url: "https://x.example/" },
  },
});

const hidden = (): MessageEvent => {
  const { link: _link, ...token } = click(0).token;
  return { ...click(0), token: { ...token, kind: "hidden" } };
};

function hold() {
  const released: (readonly [number | undefined, string | undefined])[] = [];
  const clicks = new HeldClicks((events) => {
    for (const { token, robot } of events) released.push([token.link?.place, robot]);
  });
  return { clicks, released };
}

test("each click is given on after two seconds, and two links of a message are a person's", () => {
  const { clicks, released } = hold();
  clicks.add(click(1), 0);
  clicks.add(click(2), 500);
  clicks.add(click(2), 900);
  clicks.releaseDue(1_999);
  expect(released).toEqual([]);
  clicks.releaseDue(2_000);
  expect(released).toEqual([[1, undefined]]);
  clicks.releaseDue(2_900);
  expect(released).toEqual([
    [1, undefined],
    [2, undefined],
    [2, undefined],
  ]);
});

test("three links within any two seconds are a machine's, whatever was clicked before", () => {
  const { clicks, released } = hold();
  clicks.add(click(1), 0);
  clicks.add(click(2), 1_500);
  clicks.add(click(3), 2_100);
  clicks.add(click(4), 2_200);
  clicks.add(click(5), 4_200);
  clicks.releaseAll();
  expect(released).toEqual([
    [1, undefined],
    [2, "many-links"],
    [3, "many-links"],
    [4, "many-links"],
    [5, undefined],
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

test("whoever follows the hidden link is a machine, and that visit is kept as well", () => {
  const { clicks, released } = hold();
  clicks.add(click(1), 0);
  clicks.add(hidden(), 1);
  clicks.add(click(2), 2_000);
  clicks.add(click(3), 2_001);
  clicks.releaseAll();
  expect(released).toEqual([
    [1, "hidden-link"],
    [undefined, "hidden-link"],
    [2, "hidden-link"],
    [3, undefined],
  ]);
});

test("no more than 100,000 are held: the oldest go on early", () => {
  const { clicks, released } = hold();
  for (let index = 0; index < 100_002; index += 1) clicks.add(click(index, `c${index}`), 0);
  expect(released).toEqual([
    [0, undefined],
    [1, undefined],
  ]);
});
