-- A deleted table keeps its row: its number is never given to another one, whose records ClickHouse would take for its own.
ALTER TABLE supplements ADD COLUMN deleted_version uuid;
ALTER TABLE supplements DROP CONSTRAINT supplements_account_key_key;
CREATE UNIQUE INDEX supplements_key ON supplements (account, key) WHERE deleted_version IS NULL;

-- When a table was emptied: what is asked as of a past moment goes by the last time before it. `supplements.cleared_version` is the greatest.
CREATE TABLE supplement_clears (
  account int NOT NULL,
  supplement int NOT NULL,
  version uuid NOT NULL,
  PRIMARY KEY (account, supplement, version)
);

-- When a record of a table was written last, to the second: whoever finds the row locked or new enough leaves it.
CREATE TABLE supplement_updates (
  account int NOT NULL,
  supplement int NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (account, supplement)
) WITH (fillfactor = 20);
INSERT INTO supplement_updates (account, supplement, at) SELECT account, id, created_at FROM supplements;

-- A record that was deleted keeps its row: `deleted_version` is that of the deletion, and it is there when `version` is greater.
ALTER TABLE supplement_records ADD COLUMN deleted_version uuid;

-- The indexes of a table. `slot` names the index in its entries; a clear gives each index a new one, so that it is empty at once.
-- Records up to `position` have their entries while it is building; of one that is gone the entries are being removed, and its row
-- after them. Dates alone are read in `timezone`.
CREATE TABLE supplement_indexes (
  account int NOT NULL,
  supplement int NOT NULL,
  slot int NOT NULL,
  field text NOT NULL,
  type text NOT NULL,
  timezone text NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'ready', 'gone')),
  position text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (account, supplement, slot)
);
CREATE INDEX supplement_indexes_at_work ON supplement_indexes (account, supplement, slot) WHERE state <> 'ready';
INSERT INTO supplement_indexes (account, supplement, slot, field, type, timezone, state)
  SELECT s.account, s.id, i.place, i.index->>'field', i.index->>'type', 'UTC', 'building'
  FROM supplements s, json_array_elements(s.indexes) WITH ORDINALITY AS i (index, place);
ALTER TABLE supplements DROP COLUMN indexes;

-- Values of indexed fields, as texts that sort by bytes as the values do, whatever their type.
CREATE TABLE supplement_index_entries (
  account int NOT NULL,
  supplement int NOT NULL,
  slot int NOT NULL,
  key text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, supplement, slot, key, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
