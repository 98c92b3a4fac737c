import { afterAll, expect, test } from "vitest";
import { createMapper } from "./createMapper.ts";

const mapper = createMapper({ processes: 4 });
afterAll(() => mapper.close());
const bounds = { recordsMax: 10_000, bytesMax: 32 * 1024 * 1024 };

function map(mapping: Parameters<typeof mapper.check>[1], body: unknown, options: object = {}, account = 1) {
  const json = typeof body === "string" ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  return mapper.map(account, { mapping, json, isList: false, ...bounds, ...options });
}

test("records come back in order, with the index of their body", async () => {
  const bodies = Array.from({ length: 3_000 }, (_, index) => ({ ids: [index, -index] }));
  const mapped = await map({ each: "=ids", to: { id: "=@" } }, bodies, { isList: true });
  if (mapped.kind !== "made") throw new Error(mapped.kind);
  expect(mapped.made).toHaveLength(6_000);
  expect(mapped.made[4_001]).toEqual({ body: 2_000, record: '{"id":-2000}' });
});

test("a body that is not JSON, is too deep or makes too much is refused", async () => {
  const to = { a: "=@" };
  expect(await map({ to }, "{")).toEqual({ kind: "notJson" });
  expect(await map({ to }, Buffer.from([0x22, 0xff, 0x22]).toString("latin1").concat("x"))).toEqual({
    kind: "notJson",
  });
  expect(await map({ to }, "[".repeat(65) + "]".repeat(65))).toEqual({ kind: "tooDeep" });
  expect(
    await map(
      { each: "=@", to },
      Array.from({ length: 10_001 }, () => 1),
    ),
  ).toEqual({
    kind: "tooMany",
    what: "records",
  });
  const large = Array.from({ length: 200 }, () => "x".repeat(1_000));
  expect(await map({ each: "=@", to }, large, { bytesMax: 100_000 })).toEqual({
    kind: "tooMany",
    what: "bytes_written",
  });
});

test("mistakes of a mapping come with their pointers", async () => {
  expect(await mapper.check(1, { to: { a: "=nosuch(@)", b: "=@" } })).toMatchObject([{ path: "/to/a" }]);
});

test("hostile mappings end within their limits, and another account is served before them", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `x${index}`);
  const text = "a".repeat(1_000_000);
  const hostile = [
    map({ to: { a: "=length(sort_by(map(&sort_by($, &join('', $)), @), &to_string(@)))" } }, many),
    map({ to: { a: `=to_string(@${" | [@, @]".repeat(60)})` } }, { text }),
    map({ to: { a: "=contains(text, join('', [part, 'b']))" } }, { text, part: "a".repeat(500_000) }),
  ];
  let ended = 0;
  for (const one of hostile) void Promise.allSettled([one]).then(() => (ended += 1));
  const neighbour = await map({ to: { a: "=text" } }, { text: "b" }, {}, 2);
  expect(ended).toBeLessThan(hostile.length);
  expect(neighbour).toEqual({ kind: "made", made: [{ body: 0, record: '{"a":"b"}' }] });
  // A hostile one may also wait in vain for its turn.
  const outcomes = (await Promise.allSettled(hostile)).flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  for (const outcome of outcomes) {
    const isNothing = outcome.kind === "made" && outcome.made.every(({ record }) => (record?.length ?? 0) < 20);
    expect(outcome.kind === "ended" || isNothing).toBe(true);
  }
  expect(outcomes.map(({ kind }) => kind)).toContain("ended");
}, 60_000);
