-- Products: declared through /v2, and made of what orders and carts say of them. A deleted one stays as a row, so that what was
-- written before the delete and comes after it does not bring it back. Times are milliseconds since 1970.
CREATE TABLE products (
  account int NOT NULL,
  product_id text COLLATE "C" NOT NULL,
  doc text NOT NULL,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  deleted_at bigint,
  PRIMARY KEY (account, product_id)
) WITH (
  fillfactor = 85, toast_tuple_target = 4080,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX products_created ON products (account, created_at, product_id);
