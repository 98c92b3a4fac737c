import { createLogger, createMetrics, HeadwaterError, manualClock } from "@headwater/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TokenKind } from "../../tracking/trackingToken.ts";
import { createTrackingTokens } from "../../tracking/trackingTokens.ts";
import { HeldClicks } from "../events/heldClicks.ts";
import { createTrackerServer } from "../trackerServer.ts";

const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const names = { accountId: "65f0c0ffee65f0c0ffee0001", cID: "c1", channel: "email", composedAt: 0 };
const sealed = (kind: TokenKind) =>
  tokens.seal({ kind, type: "b", account: 3, contact: 9, n: 1, message: "65f0c0ffee65f0c0ffee00aa", names });

let content: Record<string, string> | undefined;
let failure: Error | undefined;
let server: ReturnType<typeof createTrackerServer>;
beforeEach(() => {
  [content, failure] = [{ "text/html": "<p>Hi</p>", "text/plain": "Hi" }, undefined];
  server = createTrackerServer({
    ...{ tokens, plainHttp: "loopback", clock: manualClock(0), queue: { add: () => undefined } },
    ...{ logger: createLogger({ name: "t", level: "silent" }), metrics: createMetrics({ processMetrics: false }) },
    producer: { append: async () => expect.fail() },
    clicks: new HeldClicks(() => undefined),
    renderView: async () => {
      if (failure !== undefined) throw failure;
      return content;
    },
  });
});
afterEach(() => server.stop());
const get = (token: string, method: "GET" | "HEAD" = "GET") => server.inject({ method, url: `/t/v/${token}` });

describe("the message in a browser", () => {
  test("is as it was sent, runs nothing and is in no frame", async () => {
    const { statusCode, headers, body } = await get(sealed("view"));
    expect([statusCode, headers["content-type"], body]).toEqual([200, "text/html; charset=utf-8", "<p>Hi</p>"]);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("; sandbox ");
    expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin|unsafe-eval/);
    expect([headers["referrer-policy"], headers["cache-control"], headers["x-content-type-options"]]).toEqual([
      ...["no-referrer", "no-store", "nosniff"],
    ]);
  });

  test("without HTML is its text", async () => {
    content = { "text/plain": "<b>5 & 6</b>" };
    const { headers, body } = await get(sealed("view"));
    expect([headers["content-type"], body]).toEqual(["text/plain; charset=utf-8", "<b>5 & 6</b>"]);
  });

  test("is 404 when it is no longer kept, or was never there", async () => {
    content = undefined;
    const gone = await get(sealed("view"));
    expect([gone.statusCode, gone.body.includes("can no longer be shown")]).toEqual([404, true]);
    for (const token of [sealed("open"), sealed("unsubscribe"), sealed("view").slice(1), "preview"]) {
      expect((await get(token)).statusCode).toBe(404);
    }
  });

  test("is 503 while the store or the threads are busy or away", async () => {
    failure = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "busy", retriable: true });
    const { statusCode, headers } = await get(sealed("view"));
    expect([statusCode, headers["retry-after"], headers["content-type"]]).toEqual([
      ...[503, "30", "text/html; charset=utf-8"],
    ]);
  });
});
