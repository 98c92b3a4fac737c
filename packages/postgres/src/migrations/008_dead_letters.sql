-- What a redrive by a person needs of a refused record, and when it came to its end.
-- `redrive_of`: the record was itself a redrive of that one. `redrive`, `redrive_index`: the redrive that took it, and its place in it.
-- `redrive_outcome`: what became of the record it was written as; until then that record may be applied, and only once.
ALTER TABLE rejects
  ADD COLUMN redrive_of text COLLATE "C",
  ADD COLUMN redrive text COLLATE "C",
  ADD COLUMN redrive_index int,
  ADD COLUMN redrive_outcome text,
  ADD COLUMN closed_at bigint;

-- They become parts of keys: compared as bytes, like those of `reject_counts`, which an index of another collation cannot serve.
ALTER TABLE rejects
  ALTER COLUMN operation TYPE text COLLATE "C",
  ALTER COLUMN status TYPE text COLLATE "C",
  ALTER COLUMN code TYPE text COLLATE "C";

-- Lists, causes and redrives each read one index in its order: none of them sorts or fetches the rows it does not show.
CREATE INDEX rejects_listed ON rejects (account, status, rejected_at, record_id) INCLUDE (code, operation);
CREATE INDEX rejects_causes ON rejects (account, status, code, operation, rejected_at, record_id);
CREATE INDEX rejects_order ON rejects (account, version, record_id) WHERE status = 'open';
CREATE INDEX rejects_redrive ON rejects (redrive, redrive_index) WHERE redrive IS NOT NULL;
CREATE INDEX rejects_closed ON rejects (closed_at) WHERE closed_at IS NOT NULL;
ALTER TABLE rejects SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- A redrive takes letters in order of their versions: `taken` of them are marked as its own, `published` of those are in the log.
CREATE TABLE redrives (
  id text COLLATE "C" PRIMARY KEY,
  account int NOT NULL,
  selection json NOT NULL,
  patch json,
  scopes text[] NOT NULL,
  made_by text NOT NULL,
  created_at bigint NOT NULL,
  started_at bigint,
  written_at bigint,
  selected bigint NOT NULL,
  cursor_version uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  cursor_record text COLLATE "C" NOT NULL DEFAULT '',
  taken int NOT NULL DEFAULT 0,
  refused int NOT NULL DEFAULT 0,
  published int NOT NULL DEFAULT 0,
  parts json NOT NULL DEFAULT '[]',
  lease_until bigint
) WITH (fillfactor = 50);
CREATE INDEX redrives_open ON redrives (created_at, id) WHERE written_at IS NULL;
CREATE INDEX redrives_account ON redrives (account, created_at);
