-- Programs: messages and orchestrations whose numbers are told together. `messages` and `orchestrations` are JSON text as they were
-- sent, null where they were not. Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE programs (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  messages text,
  orchestrations text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX programs_created ON programs (account, created_at, id);
