import type { Ground } from "../harness/services.ts";
import { listOf, type ModelCart } from "../model/carts.ts";
import { type Members, membersOf } from "../model/shapes.ts";
import type { ModelState } from "../model/state.ts";
import type { Comparing } from "./postgres.ts";

/** Carts in both stores are those of the model; the latest version in the history is the present. */
export async function compareCarts(ground: Ground, state: ModelState, comparing: Comparing): Promise<void> {
  const expected = [...state.carts.all];
  await compareStored(ground, expected, comparing);
  await compareCurrent(ground, expected, comparing);
  const alone = expected.filter(([, { contact }]) => !contact.wasMerged);
  await comparePast(ground, alone, comparing);
}

type Expected = readonly (readonly [string, ModelCart])[];

async function compareStored({ postgres }: Ground, expected: Expected, { differences, cidOf }: Comparing) {
  const rows = await postgres.query<{ contact: number; version: string; doc: string }>({
    text: "SELECT contact, version, doc FROM carts",
  });
  const stored = rows.map(({ contact, version, doc }) => {
    const { members, expiresAt, lines } = membersOf(JSON.parse(doc));
    const inOrder = listOf(lines).map((line) => {
      const [productID, sku, qty, others] = listOf(line);
      return { productID, sku, qty, members: others };
    });
    return [String(cidOf.get(contact)), { version, members, expiresAt, lines: sorted(inOrder) }] as const;
  });
  differences.sameMaps(
    "cart",
    new Map(stored),
    new Map(
      expected.map(([cid, { version, members, expiresAt, lines }]) => {
        return [cid, { version, members, expiresAt, lines: sorted(lines) }];
      }),
    ),
  );
}

function sorted(lines: readonly object[]): readonly string[] {
  return lines.map((line) => JSON.stringify(line)).sort();
}

interface Row {
  readonly contact: number;
  readonly cartId: string;
  readonly lines: number;
  readonly total: string | null;
  readonly document: string;
}
const COLUMNS = ["contact", "cart_id AS cartId", "lines", "toString(total) AS total", "document"].join(", ");

async function compareCurrent({ clickhouse }: Ground, expected: Expected, { differences, cidOf }: Comparing) {
  const rows = await clickhouse.query<Row>(
    `SELECT ${COLUMNS} FROM carts_current FINAL WHERE account > 0 AND deleted = 0`,
  );
  differences.sameMaps(
    "ClickHouse cart",
    new Map(rows.map((row) => [String(cidOf.get(row.contact)), rowFacts(row)])),
    new Map(expected.map(([cid, cart]) => [cid, cartFacts(cart)])),
  );
}

async function comparePast({ clickhouse }: Ground, expected: Expected, { differences, cidOf }: Comparing) {
  const rows = await clickhouse.query<Row>(
    `SELECT ${COLUMNS} FROM carts_history WHERE account > 0 ORDER BY version DESC, revision DESC LIMIT 1 BY account, contact`,
  );
  const cids = new Set(expected.map(([cid]) => cid));
  const latest = rows.map((row) => [String(cidOf.get(row.contact)), rowFacts(row)] as const);
  differences.sameMaps(
    "cart in history",
    new Map(latest.filter(([cid]) => cids.has(cid))),
    new Map(expected.map(([cid, cart]) => [cid, cartFacts(cart)])),
  );
}

function rowFacts({ cartId, lines, total, document }: Row): Members {
  const items = listOf(membersOf(JSON.parse(document)).items).map(membersOf);
  const quantities = items.map(({ productID, sku, qty }) => `${productID}/${sku}: ${qty}`).sort();
  return { cartId, lines, total: Number(total), quantities };
}

function cartFacts({ members, lines }: ModelCart): Members {
  const cents = lines.reduce((sum, line) => sum + Math.round(Number(line.members.itemPrice) * 100) * line.qty, 0);
  return {
    cartId: members.cartID ?? "",
    lines: lines.length,
    total: cents / 100,
    quantities: lines.map(({ productID, sku, qty }) => `${productID}/${sku}: ${qty}`).sort(),
  };
}
