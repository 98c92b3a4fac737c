import { defaultSettings } from "@headwater/contracts";
import { manualClock } from "@headwater/kernel";
import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rateLimiter.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

function setUp() {
  const clock = manualClock(0);
  let limit = 5;
  const limiter = createRateLimiter({ read: { perSecond: () => limit, usual: 50 } }, clock);
  const take = (id = "k") => limiter.take("read", { id, account });
  const setLimit = (to: number) => {
    limit = to;
  };
  return { clock, limiter, take, setLimit };
}

describe("a key's bucket", () => {
  it("holds one second of requests, then refuses and says when to come again", () => {
    const { take } = setUp();
    const states = Array.from({ length: 6 }, () => take());
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false]);
    expect(states.at(-1)).toMatchObject({ limit: 5, remaining: 0, fullInSeconds: 1, retryAfterSeconds: 1 });
  });

  it("fills again evenly", () => {
    const { take, clock } = setUp();
    for (let n = 0; n < 5; n++) take();
    clock.advance(400);
    expect([take(), take(), take()].map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
  });

  it("is the key's own", () => {
    const { take } = setUp();
    for (let n = 0; n < 6; n++) take("a");
    expect(take("b")).toMatchObject({ isAllowed: true, remaining: 4 });
  });

  it("follows the account's setting when it changes", () => {
    const { take, setLimit } = setUp();
    take();
    setLimit(100);
    expect(take()).toMatchObject({ limit: 100, remaining: 99, policy: '"read";q=100;w=1' });
  });

  it("is shown full, with the usual limit, where no key is known", () => {
    expect(setUp().limiter.full("read")).toMatchObject({ limit: 50, remaining: 50, fullInSeconds: 0 });
  });
});
