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

-- Contacts that were erased: no name and no address. `version` is the cut-off: what was written up to it never brings them back.
-- `numbers`, `orders`, `records` ([[supplement, id], …]) are what ClickHouse holds of them.
CREATE TABLE erasures (
  account int NOT NULL,
  version uuid NOT NULL,
  numbers bigint[] NOT NULL,
  cids text[] NOT NULL,
  orders json NOT NULL,
  records json NOT NULL,
  PRIMARY KEY (account, version)
);

-- How they were found, as hashes of account, name and value. A batch looks at those above its oldest record: hardly ever any.
CREATE TABLE erased_identifiers (
  account int NOT NULL,
  hash text COLLATE "C" NOT NULL,
  version uuid NOT NULL,
  PRIMARY KEY (account, hash)
);
CREATE INDEX erased_identifiers_version ON erased_identifiers (version);
