import type { Ground } from "../harness/services.ts";
import { listOf } from "../model/carts.ts";
import { type Members, membersOf, survivorOf } from "../model/shapes.ts";
import type { ModelState } from "../model/state.ts";
import type { ModelRecord } from "../model/supplements.ts";
import type { Comparing } from "./postgres.ts";

/** Supplement records in both stores are those of the model; the latest version in the history is the present. */
export async function compareSupplements(ground: Ground, state: ModelState, comparing: Comparing): Promise<void> {
  const keyOf = await tableKeys(ground);
  await compareStored(ground, state, { ...comparing, keyOf });
  await compareView(ground, state, { ...comparing, keyOf });
}

interface Tables extends Comparing {
  readonly keyOf: ReadonlyMap<number, string>;
}

async function tableKeys({ postgres }: Ground): Promise<ReadonlyMap<number, string>> {
  const rows = await postgres.query<{ id: number; key: string }>({ text: "SELECT id, key FROM supplements" });
  return new Map(rows.map(({ id, key }) => [id, key]));
}

async function compareStored({ postgres }: Ground, state: ModelState, { differences, cidOf, keyOf }: Tables) {
  const rows = await postgres.query<{ supplement: number; id: string; contact: number | null; doc: string }>({
    text: `SELECT s.supplement, s.id, COALESCE(c.merged_into, c.number) AS contact, s.doc FROM supplement_records s
      LEFT JOIN contacts c ON c.account = s.account AND c.number = s.contact`,
  });
  const stored = rows.map(({ supplement, id, contact, doc }) => {
    const { v, members } = membersOf(JSON.parse(doc));
    const fields = listOf(members).map((entry) => {
      const [name, value, index] = listOf(entry);
      return [String(name), { value, version: listOf(v)[Number(index)] }] as const;
    });
    const cid = contact === null ? undefined : cidOf.get(contact);
    return [`${keyOf.get(supplement)}\n${id}`, { contact: cid, fields: byName(fields) }] as const;
  });
  const expected = [...state.supplements.all].map(([key, { contact, members }]) => {
    return [key, { contact: contact && survivorOf(contact).cid, fields: byName(members) }] as const;
  });
  differences.sameMaps("supplement record", new Map(stored), new Map(expected));
}

function byName(fields: Iterable<readonly [string, unknown]>): (readonly [string, unknown])[] {
  return [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
}

async function compareView({ clickhouse }: Ground, state: ModelState, { differences, keyOf }: Tables) {
  const expected = new Map([...state.supplements.all].map(([key, record]) => [key, view(key, record)]));
  const visibleBy = async (from: string) => {
    const sql = `SELECT supplement, id, document FROM ${from}`;
    const rows = await clickhouse.query<{ supplement: number; id: string; document: string }>(sql);
    return new Map(
      rows.map(({ supplement, id, document }) => [`${keyOf.get(supplement)}\n${id}`, JSON.parse(document)]),
    );
  };
  const past =
    "supplement_records_history WHERE account > 0 ORDER BY version DESC, revision DESC LIMIT 1 BY account, supplement, id";
  differences.sameMaps(
    "ClickHouse supplement record",
    await visibleBy("supplement_records_current FINAL WHERE account > 0"),
    expected,
  );
  differences.sameMaps("supplement record in history", await visibleBy(past), expected);
}

function view(key: string, { members }: ModelRecord): Members {
  const fields = [...members].filter(([, { value }]) => value !== null).map(([name, { value }]) => [name, value]);
  return { ...Object.fromEntries(fields), id: key.slice(key.indexOf("\n") + 1) };
}
