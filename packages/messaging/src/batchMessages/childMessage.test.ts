import { expect, test } from "vitest";
import { childMessage, parseChildId } from "./childMessage.ts";

const mdtId = "65f0c0ffee65f0c0ffee00d1";
const at = Date.parse("2026-03-29T22:30:00Z");

test("sends of a template are one message for each day or hour of the account", () => {
  const child = (aggregation: "daily" | "hourly", timezone: string) => {
    const { id, endsAt } = childMessage({ mdtId, aggregation, timezone }, at);
    return `${id.slice(mdtId.length)} ${new Date(endsAt).toISOString()}`;
  };
  expect(child("daily", "UTC")).toBe(":d260329 2026-03-30T00:00:00.000Z");
  expect(child("hourly", "UTC")).toBe(":h26032922 2026-03-29T23:00:00.000Z");
  expect(child("daily", "Europe/Berlin")).toBe(":d260330 2026-03-30T22:00:00.000Z");
  expect(child("hourly", "Asia/Kolkata")).toBe(":h26033004 2026-03-29T23:30:00.000Z");
});

test("the id of a child says its template and its day or hour; no other text does", () => {
  expect(parseChildId(`${mdtId}:d260329`)).toEqual({ mdtId, period: "d260329" });
  expect(parseChildId(`${mdtId}:h26032922`)).toEqual({ mdtId, period: "h26032922" });
  for (const id of [mdtId, `${mdtId}:`, `${mdtId}:d26`, `${mdtId}:x260329`, `${mdtId}:d260329:a`, "m7:d260329"]) {
    expect([id, parseChildId(id)]).toEqual([id, undefined]);
  }
});
