-- `document` is the cart with its items as the v2 API answers it; from `expires_at` on it reads as empty. `deleted` 1: the cart of a
-- contact that was merged went to the survivor, or the later one of both stayed there. `at` is the time of `version`.
CREATE TABLE IF NOT EXISTS carts_current (
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
ORDER BY (account, contact)
SETTINGS non_replicated_deduplication_window = 50000
