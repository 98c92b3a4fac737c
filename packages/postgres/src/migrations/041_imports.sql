-- What imports did to the state, by partition of the log: `last_row` is the greatest row of the source that is dealt with, so that a row
-- at or below it stands in the log again. Written with the batch's offset, so that no row counts twice.
CREATE TABLE import_counts (
  account int NOT NULL,
  job text COLLATE "C" NOT NULL,
  partition int NOT NULL,
  last_row bigint NOT NULL,
  inserted bigint NOT NULL,
  updated bigint NOT NULL,
  ignored bigint NOT NULL,
  rejected bigint NOT NULL,
  errors bigint NOT NULL,
  PRIMARY KEY (account, job, partition)
) WITH (fillfactor = 50);

-- Files that were uploaded for imports, and plain copies of what imports read. The bytes are in the file store under account and id.
-- `job`: the import that took it; it is kept until 24 h after that one's end, and 7 days while none has taken it.
CREATE TABLE uploads (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text,
  bytes bigint NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  job text COLLATE "C",
  is_copy boolean NOT NULL DEFAULT false,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX uploads_job ON uploads (job) WHERE job IS NOT NULL;
CREATE INDEX uploads_age ON uploads (created_at);

-- Line of the source on which a refused row begins, from 1.
ALTER TABLE job_rejections ADD COLUMN line bigint;
