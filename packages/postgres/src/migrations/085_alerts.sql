-- Alerts of an account. `conditions` is JSON text: all of them must hold. `revision` rises with each change of what is watched. `state`, `since`,
-- `value` (JSON text) and `as_of` are of the last evaluation. `raised_at` names a crossing that is open, `notified_at` is the last time that
-- somebody was notified of it, `last_raised` outlives both. Times are milliseconds since 1970.
CREATE TABLE alerts (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL CHECK (entity IN ('batch-message', 'message-automation', 'account')),
  ms_id text COLLATE "C",
  mdt_id text COLLATE "C",
  enabled boolean NOT NULL,
  notify text[] NOT NULL,
  conditions text NOT NULL,
  period int NOT NULL,
  revision int NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'unjudged' CHECK (state IN ('ok', 'raised', 'unjudged')),
  since bigint,
  value text,
  as_of bigint,
  last_raised bigint,
  raised_at bigint,
  notified_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, id)
) WITH (fillfactor = 70);
CREATE INDEX alerts_created ON alerts (account, created_at, id);
CREATE INDEX alerts_ms ON alerts (account, ms_id) WHERE ms_id IS NOT NULL;
CREATE INDEX alerts_mdt ON alerts (account, mdt_id) WHERE mdt_id IS NOT NULL;

-- When the alerts of an account are evaluated next. Nobody else does before `claimed_until`, which is also the fence of who does. Slow accounts
-- wait among themselves.
CREATE TABLE alert_turns (
  account int PRIMARY KEY,
  due_at bigint NOT NULL,
  claimed_until bigint NOT NULL DEFAULT 0,
  is_slow boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
CREATE INDEX alert_turns_due ON alert_turns (is_slow, due_at);

-- Mails to whom an account has notified of its alerts. A row goes once it was handed over or given up. `next_at`: when it is due; while it is
-- handed over, the end of the lease.
CREATE TABLE alert_mails (
  account int NOT NULL,
  notice text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  next_at bigint NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  PRIMARY KEY (account, notice, address)
) WITH (fillfactor = 70);
CREATE INDEX alert_mails_due ON alert_mails (next_at);

-- How far ClickHouse was at each minute since 1970: the last instant from before which it had everything.
CREATE TABLE store_lags (
  minute bigint PRIMARY KEY,
  as_of bigint NOT NULL
);

-- What alerts count, by the time at which it happened.
ALTER TABLE webhooks ADD COLUMN disabled_at bigint;
CREATE INDEX webhooks_disabled ON webhooks (account, disabled_at) WHERE disabled_at IS NOT NULL;
CREATE INDEX jobs_failed ON jobs (account, ended_at) WHERE status = 'Failed';
CREATE INDEX sends_unknown ON sends (account, at) WHERE state = 'unknown';
ALTER TABLE orchestration_runs ADD COLUMN failed_at bigint;
CREATE FUNCTION note_failed_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.failed_at := (NEW.run::json ->> 'at')::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER orchestration_runs_created_failed BEFORE INSERT ON orchestration_runs FOR EACH ROW
  WHEN (NEW.state = 'failed') EXECUTE FUNCTION note_failed_run();
CREATE TRIGGER orchestration_runs_failed BEFORE UPDATE OF state ON orchestration_runs FOR EACH ROW
  WHEN (NEW.state = 'failed' AND OLD.state <> 'failed') EXECUTE FUNCTION note_failed_run();
CREATE INDEX orchestration_runs_failed ON orchestration_runs (account, failed_at) WHERE failed_at IS NOT NULL;
