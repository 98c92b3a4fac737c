-- Times are milliseconds since 1970 in all state tables; versions are 32 hex characters, stored as uuid. Text keys have collation C:
-- they compare as bytes, and an upgrade of the system's locale data cannot break their indexes.
CREATE SEQUENCE contact_numbers;

-- Updates touch no indexed column: with a fifth of each page free they stay on the page (HOT) and write no index. `doc` is JSON that only
-- folds read, so it is text: json would be parsed at every write (a quarter of its cost). A cid is a hash of account and record id:
-- unique by itself, and a hash index costs half of a unique one.
CREATE TABLE contacts (
  account int NOT NULL,
  number bigint NOT NULL,
  cid text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  version uuid NOT NULL,
  revision bigint NOT NULL,
  merged_into bigint,
  doc text NOT NULL,
  PRIMARY KEY (account, number)
) WITH (
  fillfactor = 80, toast_tuple_target = 4080,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1
);

CREATE INDEX contacts_cid ON contacts USING hash (cid);
CREATE INDEX contacts_merged ON contacts (account, merged_into) WHERE merged_into IS NOT NULL;

-- No index by contact: a contact's document names all its identifiers.
CREATE TABLE contact_identifiers (
  account int NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  PRIMARY KEY (account, name, value)
) WITH (fillfactor = 95, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Both states before a merge, so that it can be shown and undone.
CREATE TABLE merges (
  account int NOT NULL,
  survivor bigint NOT NULL,
  merged bigint NOT NULL,
  at bigint NOT NULL,
  by_record text NOT NULL,
  before json NOT NULL,
  PRIMARY KEY (account, merged)
);
CREATE INDEX merges_survivor ON merges (account, survivor);

CREATE TABLE attribute_definitions (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  type text NOT NULL DEFAULT 'auto',
  created_at bigint NOT NULL,
  PRIMARY KEY (account, key)
);
