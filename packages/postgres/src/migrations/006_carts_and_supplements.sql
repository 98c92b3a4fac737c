-- A contact's cart. The contact's row is locked while it is written. One without lines is kept: when two contacts become one the later
-- cart stays, and an emptied one may be the later.
CREATE TABLE carts (
  account int NOT NULL,
  contact bigint NOT NULL,
  version uuid NOT NULL,
  revision bigint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (account, contact)
) WITH (
  fillfactor = 80, toast_tuple_target = 4080,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);

-- Definitions of tables of records; `id` counts from 1 in each account.
CREATE TABLE supplements (
  account int NOT NULL,
  id int NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text,
  indexes json NOT NULL,
  contact_object bool NOT NULL,
  autogenerate_ids bool NOT NULL,
  cleared_version uuid,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, id),
  UNIQUE (account, key)
);

-- `contact` is the number that was found when the record was written: contacts.merged_into tells who answers for it now.
CREATE TABLE supplement_records (
  account int NOT NULL,
  supplement int NOT NULL,
  id text COLLATE "C" NOT NULL,
  contact bigint,
  created_at bigint NOT NULL,
  modified_at bigint NOT NULL,
  version uuid NOT NULL,
  revision bigint NOT NULL,
  doc text NOT NULL,
  PRIMARY KEY (account, supplement, id)
) WITH (
  fillfactor = 85, toast_tuple_target = 4080,
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX supplement_records_contact ON supplement_records (account, contact) WHERE contact IS NOT NULL;
