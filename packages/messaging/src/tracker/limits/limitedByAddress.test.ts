import { Readable } from "node:stream";
import { definePublicRoute } from "@headwater/http";
import { manualClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { limitedByAddress } from "../trackerServer.ts";
import { createAddressLimits } from "./addressLimits.ts";

test("an address that calls too often gets 429, others and the loopback go on", async () => {
  const input = { method: "GET", path: "/t", operationId: "t", summary: "T.", answers: {} } as const;
  const route = definePublicRoute({ ...input, handler: () => ({ status: 204 }) });
  const limits = createAddressLimits({ perSecond: 1, burst: 2 });
  const limited = limitedByAddress(route, { limits, clock: manualClock(0) });
  const statuses = [];
  for (const clientAddress of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", undefined]) {
    const call = { ...{ method: "GET", requestId: "1", receivedAtMs: 0, caller: undefined, params: {}, query: {} } };
    const rest = { bytes: Buffer.alloc(0), stream: Readable.from([]), mediaType: "", traceparent: undefined };
    const ways = { header: () => undefined, admit: () => expect.fail(), signal: new AbortController().signal };
    statuses.push((await limited.run({ ...call, ...rest, ...ways, clientAddress })).status);
  }
  expect(statuses).toEqual([204, 204, 429, 204, 204]);
});
