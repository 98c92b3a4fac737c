import { expect, test } from "vitest";
import { limits, serveService } from "./testService.ts";

const { send } = serveService([]);
const params = { id: "65f0c0ffee65f0c0ffee0099", key: "colour" };

test.each([
  ["listAttributevalues", limits.readPerSecond],
  ["sendBatchmessage", limits.writePerSecond],
  ["checkTransport", limits.writePerSecond],
  ["createContactexport", limits.jobStartPerSecond],
  ["countAudience", limits.audienceCountPerSecond],
])("%s counts against its class", async (operation, perSecond) => {
  const { headers } = await send(operation, { params });
  expect(headers["x-rate-limit-limit"]).toBe(String(perSecond));
});
