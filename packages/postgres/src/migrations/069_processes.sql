-- Running processes of ours: each writes its row every five seconds, and deletes it when it stops.
CREATE TABLE processes (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  -- Comma list; empty where a process has no parts.
  parts text NOT NULL,
  checks json NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
