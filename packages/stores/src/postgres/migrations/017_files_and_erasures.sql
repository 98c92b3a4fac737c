-- What jobs wrote for download. The bytes are in the file store under account and id; `manifest` says what is in them.
CREATE TABLE files (
  id text COLLATE "C" PRIMARY KEY,
  account int NOT NULL,
  job text COLLATE "C" NOT NULL,
  name text NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text COLLATE "C" NOT NULL,
  manifest json NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX files_job ON files (job);
CREATE INDEX files_age ON files (created_at);
