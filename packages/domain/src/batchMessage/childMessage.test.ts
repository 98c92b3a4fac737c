import { expect, test } from "vitest";
import { childMessageId } from "./childMessage.ts";

const mdtId = "65f0c0ffee65f0c0ffee00d1";
const at = Date.parse("2026-03-29T22:30:00Z");

test("sends of a template are one message for each day or hour of the account", () => {
  const id = (aggregation: "daily" | "hourly", timezone: string) =>
    childMessageId({ mdtId, aggregation, timezone }, at);
  expect([id("daily", "UTC"), id("hourly", "UTC")]).toEqual([`${mdtId}:d260329`, `${mdtId}:h26032922`]);
  expect([id("daily", "Europe/Berlin"), id("hourly", "Europe/Berlin")]).toEqual([
    `${mdtId}:d260330`,
    `${mdtId}:h26033000`,
  ]);
});
