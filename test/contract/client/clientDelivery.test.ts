import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, idOf, person, startWay, type Way } from "./way.ts";

const WAIT = { timeout: 30_000 };
let way: Way;
beforeAll(async () => {
  way = await startWay();
});
afterEach(() => way.mend());
afterAll(() => way.stop());

let names = 0;
const newName = () => `client-${++names}`;

describe("nothing is doubled and nothing is lost", () => {
  test("when the answer is lost on its way: the same request is asked for its answer", async () => {
    const { client, retries } = way.client();
    const name = newName();
    way.way.setMode("swallowAnswers");
    const sent = [1, 2, 3].map((n) => client.send("upsertContact", person(`${name}-${n}@example.com`)));
    await expect.poll(() => way.recordsWith(name).length, WAIT).toBe(3);
    await expect.poll(() => way.way.swallowedBytes(), WAIT).toBeGreaterThan(0);
    way.way.setMode("forward");
    const [first] = await Promise.all(sent);
    expect(retries.map(({ status }) => status)).toEqual([undefined]);
    const marker = await client.send("upsertContact", person(`${newName()}@example.com`));
    await way.ingress.recordsOf(marker.requestId, 1);
    const ids = way.recordsWith(name).map(({ id }) => id);
    expect(ids.toSorted()).toEqual([0, 1, 2].map((index) => `${first?.requestId}:${index}:0`));
  });

  test("when connections are cut again and again while much is sent", async () => {
    const { client } = way.client({ batch: { items: 20 }, requestsInFlightMax: 4, retry: { minMs: 5, maxMs: 50 } });
    const name = newName();
    const count = 2_000;
    let resolved = 0;
    const sent = Array.from({ length: count }, (_, n) =>
      client.send("upsertContact", person(`${name}-${n}@example.com`)).finally(() => {
        resolved += 1;
        if (resolved % 100 === 0) way.way.cut();
      }),
    );
    const answers = await Promise.all(sent);
    const ids = answers.map(idOf);
    expect(new Set(ids).size).toBe(count);
    await expect.poll(() => way.recordsWith(`${name}-`).length, WAIT).toBeGreaterThanOrEqual(count);
    // A record may be written twice, under the same id: it is applied once.
    expect(way.idsWith(`${name}-`)).toEqual(new Set(ids));
  });

  test("while Kafka is away: it waits, and delivers when Kafka is back", async () => {
    const { client, retries } = way.client({ retry: { maxMs: 500 } });
    const name = newName();
    way.ingress.kafkaProxy.setMode("refuse");
    const sent = client.send("upsertContact", person(`${name}@example.com`));
    await expect.poll(() => retries.filter(({ status }) => status === 503).length, WAIT).toBeGreaterThan(1);
    way.ingress.kafkaProxy.setMode("forward");
    const id = await sent.then(idOf);
    await expect.poll(() => way.recordsWith(name).length, WAIT).toBeGreaterThan(0);
    expect(way.idsWith(name)).toEqual(new Set([id]));
  });

  test("while Postgres is away, which keeps the Idempotency-Keys", async () => {
    const { client, retries } = way.client({ retry: { maxMs: 500 } });
    const name = newName();
    way.ingress.postgresProxy.setMode("refuse");
    const sent = client.send("upsertContact", person(`${name}@example.com`));
    await expect.poll(() => retries.filter(({ status }) => status === 503).length, WAIT).toBeGreaterThan(1);
    way.ingress.postgresProxy.setMode("forward");
    const id = await sent.then(idOf);
    await expect.poll(() => way.idsWith(name), WAIT).toEqual(new Set([id]));
  });

  test("when the time is up: what was not answered is reported as such, and what may have been accepted", async () => {
    const { client, retries } = way.client();
    way.way.setMode("silent");
    const sent = Promise.allSettled([client.send("upsertContact", person(`${newName()}@example.com`))]);
    await expect.poll(() => client.state().requestsInFlight, WAIT).toBe(1);
    expect(await client.close({ deadlineMs: 50 })).toEqual({ undelivered: 1 });
    expect(errorOf((await sent)[0])).toMatchObject({ kind: "undelivered", mayBeAccepted: true });
    expect(retries).toEqual([]);
  });
});
