import { defaultSettings } from "@headwater/contracts";
import { everyMember, parseExact } from "@headwater/http";
import type { PartnerEndpoint } from "@headwater/intake/partners/endpoint";
import { withoutAbsent } from "@headwater/intake/partners/reading";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { toDetails } from "@headwater/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORE_MS_MAX, coreMs, lawRuns } from "./coreTime.ts";
import { type MemberKind, memberKinds, membersOf } from "./members.ts";

const RUNS = lawRuns(4);
const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 0, bodyHash: "b" };
/** One part of a push: a push of the largest body is this many times its parts. */
const PART_BYTES = 256 * 1024;

/** Puts members wherever the sample has free ones, and repeats the elements of its arrays. */
function grown(value: unknown, kind: MemberKind, elements: number): unknown {
  if (Array.isArray(value)) {
    return Array.from({ length: value.length === 0 ? 0 : elements }, (_, index) =>
      grown(value[index % value.length], kind, 1),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    FREE_FORM.has(name) ? membersOf(kind, CAPACITY) : grown(inner, kind, elements),
  ]);
  return { ...Object.fromEntries(entries), ...membersOf("many", { ...CAPACITY, bytes: 4_096 }) };
}

const FREE_FORM: ReadonlySet<string> = new Set(["attributes", "properties", "user_attributes", "user_attribute_lists"]);
const CAPACITY = { bytes: PART_BYTES / 4, membersMax: 10_000, levelsMax: 40 };

describe.each(partnerEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))("%s", (_path, endpoint) => {
  test(`no stage of a push at its bounds takes ${CORE_MS_MAX} ms of a core`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...memberKinds), fc.constantFrom(1, 3, 40), (kind, elements) => {
        const sent = JSON.stringify(grown(endpoint.sample, kind, elements));
        const slow = Object.entries(stagesOf(endpoint, sent)).filter(([, ms]) => ms > CORE_MS_MAX);
        expect([kind, sent.length, slow]).toEqual([kind, sent.length, []]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

function stagesOf(endpoint: PartnerEndpoint, sent: string): Record<string, number> {
  const parse = coreMs(() => parseExact(sent, everyMember));
  const value = parseExact(sent, everyMember);
  const clean = coreMs(() => withoutAbsent(value));
  const present = withoutAbsent(value);
  const shape = coreMs(() => endpoint.body.safeParse(present));
  const parsed = endpoint.body.safeParse(present);
  if (parsed.success) return { parse, clean, shape, map: coreMs(() => endpoint.map(parsed.data, context)) };
  return { parse, clean, shape, details: coreMs(() => toDetails(parsed.error)) };
}
