-- Ways out of messages. `settings` is JSON text by type; its secrets are sealed with a key that is not in the database.
-- Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE transports (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('smtp', 'http', 'log')),
  settings text NOT NULL,
  is_default boolean NOT NULL,
  enabled boolean NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, id),
  CONSTRAINT transports_name UNIQUE (account, name)
);
CREATE INDEX transports_created ON transports (account, created_at, id);
CREATE UNIQUE INDEX transports_default ON transports (account, channel) WHERE is_default;
