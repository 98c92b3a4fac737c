-- A merge has the version of the record that made it, and stays when a split undoes it: so both can be shown. `undone_by` is the
-- record id of the write that did. Of merges that were made before, the version is only as exact as their time.
ALTER TABLE merges ADD COLUMN version uuid, ADD COLUMN undone_version uuid, ADD COLUMN undone_by text;
UPDATE merges SET version = (lpad(to_hex(at), 11, '0') || repeat('0', 21))::uuid;
ALTER TABLE merges ALTER COLUMN version SET NOT NULL;
ALTER TABLE merges DROP CONSTRAINT merges_pkey, ADD PRIMARY KEY (account, merged, version);

-- The contact an order was written for, when a merge has moved it to another: a split gives it back.
ALTER TABLE orders ADD COLUMN merged_from bigint;

-- Which write of /v2 a version names. Records of the log need no row: their version says where they stand.
CREATE TABLE v2_writes (
  account int NOT NULL,
  version uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('v2', 'merge', 'split')),
  record_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, version)
);
CREATE SEQUENCE v2_write_numbers;
