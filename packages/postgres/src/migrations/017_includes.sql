-- Pieces of content that messages include by key. Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE includes (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  content text NOT NULL,
  name text,
  description text,
  tags text[],
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, key)
);
CREATE INDEX includes_created ON includes (account, created_at, key);

-- Who uses an include; whoever stores a message writes its rows in the same transaction. The reference holds the include while it is
-- being written, so that a delete at the same time sees it or comes first.
CREATE TABLE include_uses (
  account int NOT NULL,
  include text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('batchmessage', 'automationtemplate')),
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, include, kind, user_id),
  FOREIGN KEY (account, include) REFERENCES includes (account, key)
);
