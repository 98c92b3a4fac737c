import { parseExpression, recordExpressions } from "@headwater/messaging/providerEvents/expressions";
import { z } from "zod";
import { withAnalysts } from "../analytics/analysts.ts";
import { untilAllIsDone } from "../measure/progress.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { type App, startApp } from "../processes/app.ts";
import { emailOf } from "../records/items.ts";
import { atLeast, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const RECORDS = 10_000;
const BATCH = 1_000;
const AIM_RATIO = 0.7;
const FIRST_CONTACT = 300_000_000;

/** Members of a record by their expressions. */
const EXPRESSIONS = {
  "identifiers.email": "mail",
  "attributes.first_name": "name.first",
  "attributes.last_name": "name.last",
  "attributes.city": "address.city",
  "attributes.plan": "lower(plan)",
  "attributes.score": "sum(orders[].total)",
} as const;
const accepted = z.object({ accepted: z.number() });

/** A transform of 10,000 records, next to its two parts: JMESPath in one process, and the ingress with what it makes. */
export async function transform(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "transform", (world) =>
    withAnalysts(bench, world, async ({ service }) => {
      const ingress = await startApp(bench, "ingress", world.env);
      const projector = await startApp(bench, "projector", world.env);
      const { port } = service;
      const to = Object.entries(EXPRESSIONS).map(([path, text]): [string, unknown] => [path, `=${text}`]);
      const mapping = { each: "=people", to: { ...Object.fromEntries(to), canBeCreated: true, canBeUpdated: true } };
      const job = { key: "bench", name: "Bench", kind: "oneTime", mapping, target: { type: "contacts" } };
      await callService(world, { port, path: "/v2/datajobs", body: job });
      const [ours, parts]: [Stretch[], Stretch[]] = [[], []];
      // The first round warms both.
      for (let round = 0; round <= bench.rounds; round++) {
        const body = bodyOf(FIRST_CONTACT + round * RECORDS);
        const one = await timed(service, () => transformed(world, port, body));
        const { jmespath, items } = mapAlone(JSON.stringify(body));
        const accepting = await timed(ingress, () => ingressAlone(world, ingress.port, items));
        await untilAllIsDone(bench, world);
        bench.say(
          `transform, round ${round}: ${view(one)}; JMESPath ${view(jmespath)}; the ingress ${view(accepting)}`,
        );
        if (round === 0) continue;
        ours.push(one);
        parts.push({
          events: RECORDS,
          seconds: jmespath.seconds + accepting.seconds,
          cpuSeconds: jmespath.cpuSeconds + accepting.cpuSeconds,
        });
      }
      await Promise.all([projector.stop(), ingress.stop()]);
      return [toRow(ours, parts, service.peakMemoryMib())];
    }),
  );
}

/** Wall time, and processor time with that of child processes. */
type Timed = Stretch & { readonly cpuSeconds: number };

async function timed(app: App, run: () => Promise<void>): Promise<Timed> {
  const [startedAtMs, cpuBefore] = [performance.now(), app.cpuSeconds()];
  await run();
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { events: RECORDS, seconds, cpuSeconds: app.cpuSeconds() - cpuBefore };
}

function view({ seconds, cpuSeconds }: Timed): string {
  return `${Math.round(seconds * 1_000)} ms, ${Math.round(cpuSeconds * 1_000)} ms of a core`;
}

function bodyOf(first: number) {
  return {
    people: Array.from({ length: RECORDS }, (_, at) => ({
      mail: emailOf(first + at),
      name: { first: "Ann", last: `von ${at % 997}` },
      address: { city: "Rotterdam", country: "NL", street: `Harbour ${at}` },
      plan: at % 2 === 0 ? "GOLD" : "Basic",
      orders: [{ total: at % 100 }, { total: 7 }],
    })),
  };
}

async function transformed(world: World, port: number, body: object): Promise<void> {
  const answer = await callService(world, { port, path: "/v2/datajobs/bench/transform", body });
  if (accepted.parse(answer).accepted !== RECORDS) throw new Error("a transform lost records");
}

/** Expressions that know no whole body are searched by the library as they are. */
const bare = { ...recordExpressions, nodes: recordExpressions.nodes.difference(new Set(["Root"])) };

function compiled(text: string) {
  const parsed = parseExpression(text, bare);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

/** Maps the body by the library alone: text in, items out. */
function mapAlone(text: string): { readonly jmespath: Timed; readonly items: readonly object[] } {
  const [startedAtMs, cpu] = [performance.now(), process.cpuUsage()];
  const expressions = Object.values(EXPRESSIONS).map(compiled);
  const names = Object.keys(EXPRESSIONS)
    .slice(1)
    .map((path) => path.slice("attributes.".length));
  const body: ReturnType<typeof bodyOf> = JSON.parse(text);
  const items = body.people.map((person) => {
    const [email, ...values] = expressions.map((expression) => expression.search(person));
    const attributes = Object.fromEntries(names.map((name, at) => [name, values[at]]));
    return { identifiers: { email }, attributes, canBeCreated: true, canBeUpdated: true };
  });
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return { jmespath: { events: RECORDS, seconds, cpuSeconds: (user + system) / 1_000_000 }, items };
}

/** Sends items to the ingress in its largest batches, all at once. */
async function ingressAlone({ apiKey }: World, port: number, items: readonly object[]): Promise<void> {
  const bodies = Array.from({ length: RECORDS / BATCH }, (_, at) =>
    JSON.stringify({ items: items.slice(at * BATCH, (at + 1) * BATCH) }),
  );
  const answers = await Promise.all(
    bodies.map((body) =>
      fetch(`http://127.0.0.1:${port}/api/upsertContact/batch`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body,
      }),
    ),
  );
  for (const answer of answers) {
    if (answer.status !== 202) throw new Error(`the ingress answered ${answer.status}: ${await answer.text()}`);
    await answer.json();
  }
}

function toRow(ours: readonly Stretch[], parts: readonly Stretch[], memoryMib: number): Row {
  const [mine, alone] = [toFigures(ours, memoryMib), toFigures(parts)];
  const ratio = (mine.eventsPerCoreSecond ?? 0) / (alone.eventsPerCoreSecond ?? Number.NaN);
  return {
    ...{ path: "transform", what: `${RECORDS.toLocaleString("en")} records, six expressions each`, ours: mine },
    limits: [{ name: "JMESPath in one process, then the ingress with what it makes", figures: alone, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of its parts, per core-s"),
  };
}
