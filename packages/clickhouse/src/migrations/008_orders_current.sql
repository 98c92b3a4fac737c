-- `counts` is 0 for cancelled, refunded and the like; `document` is the order as the v2 API answers it.
CREATE TABLE IF NOT EXISTS orders_current (
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
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, order_id)
SETTINGS non_replicated_deduplication_window = 50000
