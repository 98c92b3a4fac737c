-- What was done to an account, by whom and when: written in the transaction of what it tells, never changed, deleted after 400 days. No
-- row holds a value of a contact or a secret. `level`: 0 Debug, 1 Info, 2 Warning, 3 Error. `at` is milliseconds since 1970, `actor` the
-- id of a key. Entries are read by account and time; those that are rare among them have indexes of their own, which cost the usual write nothing.
CREATE TABLE account_log (
  account int NOT NULL,
  at bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  category text COLLATE "C" NOT NULL,
  level smallint NOT NULL CHECK (level BETWEEN 0 AND 3),
  action text NOT NULL,
  message text NOT NULL,
  actor text COLLATE "C",
  actor_name text,
  ip text,
  request_id text COLLATE "C",
  job_id text COLLATE "C",
  target text,
  status text,
  details json,
  PRIMARY KEY (account, at, id)
);
CREATE INDEX account_log_age ON account_log (at);
CREATE INDEX account_log_grave ON account_log (account, at, id) WHERE level >= 2;
CREATE INDEX account_log_category ON account_log (account, category, at, id) WHERE category <> 'API';

-- Calls that have no entry of their own, counted by minute (minutes since 1970) and key: those of intake and partners (door `api`), and
-- those that /v2 refused. The ingress writes only its own schema, so the worker makes entries of the minutes that are over.
CREATE TABLE intake.call_counts (
  minute bigint NOT NULL,
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  door text COLLATE "C" NOT NULL CHECK (door IN ('api', 'v2')),
  -- Empty: they were accepted.
  code text COLLATE "C" NOT NULL,
  status int NOT NULL,
  operation text COLLATE "C" NOT NULL,
  calls bigint NOT NULL,
  accepted bigint NOT NULL,
  rejected bigint NOT NULL,
  PRIMARY KEY (minute, account, key, door, code, status, operation)
) WITH (fillfactor = 70, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.05);
