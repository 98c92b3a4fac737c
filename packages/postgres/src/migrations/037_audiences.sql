-- Saved audiences. `criteria` is JSON text as it was sent; `lists` the ids of the lists that it names by name, so that a rename breaks
-- nothing. `counted_at` is when the last count was written. Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE audiences (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  tags text[],
  criteria text NOT NULL,
  lists text NOT NULL,
  last_count bigint,
  last_count_as_of bigint,
  counted_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, id),
  UNIQUE (account, key)
);
CREATE INDEX audiences_created ON audiences (account, created_at, key);

-- Who uses a saved audience: other audiences by their id, messages and orchestrations. Whoever stores a user writes its rows in the
-- same transaction. The reference holds the audience while it is being written, so that a delete at the same time sees it or comes first.
CREATE TABLE audience_uses (
  account int NOT NULL,
  audience text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('audience', 'batchmessage', 'automationtemplate', 'orchestration')),
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, audience, kind, user_id),
  FOREIGN KEY (account, audience) REFERENCES audiences (account, id)
);
CREATE INDEX audience_uses_user ON audience_uses (account, kind, user_id);
