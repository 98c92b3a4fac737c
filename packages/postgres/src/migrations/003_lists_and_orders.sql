-- `name_key` is the name in lower case as the processes see it: what a database calls lower case depends on its locale.
CREATE TABLE lists (
  account int NOT NULL,
  id int NOT NULL,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  enhanced bool NOT NULL DEFAULT false,
  cleared_version uuid,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, id),
  UNIQUE (account, name_key)
);

CREATE TABLE memberships (
  account int NOT NULL,
  list int NOT NULL,
  contact bigint NOT NULL,
  present bool NOT NULL,
  joined_at bigint NOT NULL,
  version uuid NOT NULL,
  PRIMARY KEY (account, list, contact)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX memberships_contact ON memberships (account, contact);

CREATE TABLE orders (
  account int NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  purchased_at bigint NOT NULL,
  version uuid NOT NULL,
  revision bigint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (account, order_id)
) WITH (
  fillfactor = 85, toast_tuple_target = 4080,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX orders_contact ON orders (account, contact);
CREATE INDEX orders_purchased ON orders (account, purchased_at, order_id);
