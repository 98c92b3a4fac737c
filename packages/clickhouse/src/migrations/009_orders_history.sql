CREATE TABLE IF NOT EXISTS orders_history (
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
  at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree
ORDER BY (account, order_id, version)
SETTINGS non_replicated_deduplication_window = 50000
