-- An order's write that comes late may change it without raising its version: of one version the greatest revision holds, as for carts.
-- The engine of a table cannot be altered: a new table takes the parts of the old one over (hard links) and then its place. Stop the
-- projectors meanwhile: what they write between the two would stay in the old table.
ALTER TABLE orders_history ADD COLUMN IF NOT EXISTS revision UInt64;
-- when: SELECT position(engine_full, 'revision') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'orders_history'
CREATE TABLE IF NOT EXISTS orders_history_by_revision (
  account UInt32,
  order_id String,
  contact UInt64,
  purchased_at DateTime64(3, 'UTC'),
  status LowCardinality(String),
  counts UInt8,
  currency LowCardinality(String),
  total Nullable(Decimal(18, 4)),
  document String,
  deleted UInt8,
  version String,
  at DateTime64(3, 'UTC'),
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, order_id, version)
SETTINGS non_replicated_deduplication_window = 50000;
-- when: SELECT position(engine_full, 'revision') = 0 AND total_rows > 0 FROM system.tables WHERE database = currentDatabase() AND name = 'orders_history'
ALTER TABLE orders_history_by_revision REPLACE PARTITION tuple() FROM orders_history;
-- when: SELECT position(engine_full, 'revision') = 0 FROM system.tables WHERE database = currentDatabase() AND name = 'orders_history'
EXCHANGE TABLES orders_history AND orders_history_by_revision;
-- Rows of before have revision 0. The present tells which of one version is the last.
INSERT INTO orders_history (account, order_id, contact, purchased_at, status, counts, currency, total, document, deleted, version, at, revision)
SELECT account, order_id, contact, purchased_at, status, counts, currency, total, document, deleted, version,
  fromUnixTimestamp64Milli(toInt64(reinterpretAsUInt64(reverse(unhex(concat('00000', substring(version, 1, 11)))))), 'UTC') AS at, revision
FROM orders_current FINAL WHERE length(version) = 32;
DROP TABLE IF EXISTS orders_history_by_revision SETTINGS max_table_size_to_drop = 0;
