-- The cart from `at` on. A record that is tried again adds to a cart without raising its version: of one version the greatest revision holds.
CREATE TABLE IF NOT EXISTS carts_history (
  account UInt32,
  contact UInt64,
  cart_id String,
  lines UInt32,
  total Nullable(Decimal(18, 4)),
  expires_at Nullable(DateTime64(3, 'UTC')),
  document String,
  deleted UInt8,
  version String,
  at DateTime64(3, 'UTC'),
  revision UInt64
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (account, contact, version)
SETTINGS non_replicated_deduplication_window = 50000
