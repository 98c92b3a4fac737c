import { randomUUID } from "node:crypto";
import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { RowBinary } from "@headwater/clickhouse/rowBinary";
import { createLogger } from "@headwater/kernel";
import { serveTasks } from "./processes/serveTasks.ts";
import { emailOf } from "./records/items.ts";
import { bareInsertTask, measured } from "./tasks/bareTasks.ts";

const TIMEOUT_MS = 60_000;
const columns = [
  "account",
  "contact",
  "action",
  "time",
  "ingested",
  "uid",
  "record",
  "properties",
  "lane",
  "log_offset",
];

/** Process: a limit of the activities group. Inserts blocks of activities that were made before it is timed. */
let blocks: Buffer[] = [];
let rowsPerBlock = 0;
serveTasks(async (task) => {
  const wanted = bareInsertTask.parse(task);
  if (wanted.kind === "prepare") {
    rowsPerBlock = wanted.rowsPerBlock;
    blocks = Array.from({ length: wanted.blocks }, (_, block) =>
      createBlock(wanted.firstContact + block * rowsPerBlock),
    );
    return undefined;
  }
  const logger = createLogger({ name: "bench", level: "warn" });
  const clickhouse = createClickHouse({ url: wanted.url, requestTimeoutMs: TIMEOUT_MS, logger });
  const result = await measured(() => insertAll(clickhouse, wanted.concurrently));
  await clickhouse.close();
  return result;
});

async function insertAll(clickhouse: ClickHouse, concurrently: number): Promise<number> {
  let next = 0;
  const writer = async () => {
    for (let body = blocks[next++]; body !== undefined; body = blocks[next++]) {
      await clickhouse.insertBlock({ table: "activities", columns, body, token: randomUUID() });
    }
  };
  await Promise.all(Array.from({ length: concurrently }, writer));
  return blocks.length * rowsPerBlock;
}

/** Rows of the size that the bench's activities have; columns with a default are left to it, as in most of ours. */
function createBlock(firstContact: number): Buffer {
  const rows = new RowBinary();
  const nowMs = Date.now();
  for (let contact = firstContact; contact < firstContact + rowsPerBlock; contact++) {
    rows.uint32(1);
    rows.int64(contact);
    rows.string(contact % 2 === 0 ? "browse" : "search");
    rows.int64(nowMs - contact);
    rows.int64(nowMs);
    rows.string(`session-${emailOf(contact)}`);
    rows.string(`AbCdEfGhIjKlMnOpQrSt:${contact % 100}:0`);
    rows.string(
      `{"category":"Kitchen","sku":"SKU-${contact}","price":129.95,"currency":"EUR","referrer":"newsletter","url":"https://shop.example.com/p/${contact}"}`,
    );
    rows.uint8(1);
    rows.int64(contact);
  }
  return rows.body();
}
