-- The position in the outbox behind which facts start runs: what was applied before the orchestration was enabled does not.
ALTER TABLE orchestrations ADD COLUMN enabled_position bigint NOT NULL DEFAULT 0;
CREATE FUNCTION note_enabled_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.enabled_position := nextval('outbox_positions');
  RETURN NEW;
END $$;
-- Whoever enables it, the position is one of the transaction that does.
CREATE TRIGGER orchestrations_created_enabled BEFORE INSERT ON orchestrations FOR EACH ROW
  WHEN (NEW.is_enabled AND NEW.version IS NOT NULL) EXECUTE FUNCTION note_enabled_position();
CREATE TRIGGER orchestrations_enabled BEFORE UPDATE OF is_enabled, version ON orchestrations FOR EACH ROW
  WHEN (NEW.is_enabled AND NEW.version IS NOT NULL AND NOT (OLD.is_enabled AND OLD.version IS NOT NULL))
  EXECUTE FUNCTION note_enabled_position();

-- Runs: contacts on their way through a version. `run` is JSON text and says all of it; the other columns find it. `sequence` rises with each
-- step, so that none is stored over another one. Times are milliseconds since 1970.
CREATE TABLE orchestration_runs (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  version int NOT NULL,
  contact bigint NOT NULL,
  -- JSON text; empty without a key.
  key text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('entering', 'waiting', 'completed', 'exited', 'failed', 'holdout')),
  node text COLLATE "C" NOT NULL,
  entered_at bigint NOT NULL,
  -- When it goes on by itself: looked after in this order.
  due_at bigint,
  -- Activities of its contact are compared with it until then.
  observed_until bigint NOT NULL,
  sequence bigint NOT NULL,
  run text NOT NULL,
  PRIMARY KEY (account, id)
) WITH (fillfactor = 80, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX orchestration_runs_due ON orchestration_runs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX orchestration_runs_contact ON orchestration_runs (account, contact);
CREATE INDEX orchestration_runs_orchestration ON orchestration_runs (account, orchestration, id);

-- When a contact entered last under a key, and the positions of the starts that were decided (JSON text): one that comes again is known.
CREATE TABLE orchestration_entries (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  entered_at bigint,
  positions text NOT NULL,
  PRIMARY KEY (account, orchestration, contact, key)
);
CREATE INDEX orchestration_entries_contact ON orchestration_entries (account, contact);

-- Nodes that a run has left. `next` is null where it ended.
CREATE TABLE orchestration_steps (
  account int NOT NULL,
  run text COLLATE "C" NOT NULL,
  visit int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  edge text COLLATE "C",
  next text COLLATE "C",
  PRIMARY KEY (account, run, visit)
);
CREATE INDEX orchestration_steps_orchestration ON orchestration_steps (account, orchestration);

-- Sends that runs want, by the want. `message`, `cid` and `n` are those of the mcID. `reason` says why a contact did not get it.
CREATE TABLE orchestration_sends (
  account int NOT NULL,
  want text COLLATE "C" NOT NULL,
  effect text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  template text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  cid text COLLATE "C" NOT NULL,
  n int NOT NULL,
  reason text COLLATE "C",
  PRIMARY KEY (account, want)
);
CREATE UNIQUE INDEX orchestration_sends_effect ON orchestration_sends (account, effect);
CREATE INDEX orchestration_sends_message ON orchestration_sends (account, message, cid, n);
CREATE INDEX orchestration_sends_contact ON orchestration_sends (account, contact);
CREATE INDEX orchestration_sends_run ON orchestration_sends (account, run);
CREATE INDEX orchestration_sends_reason ON orchestration_sends (account, orchestration, reason) WHERE reason IS NOT NULL;

-- Sends of runs that have ended, whoever ended them: their runs go on.
CREATE TABLE ended_sends (
  account int NOT NULL,
  want text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  at bigint NOT NULL,
  PRIMARY KEY (account, want)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE FUNCTION note_ended_send() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ended_sends (account, want, state, reason, at) VALUES (NEW.account, NEW.want, NEW.state, NEW.reason, NEW.at)
    ON CONFLICT (account, want) DO UPDATE SET state = EXCLUDED.state, reason = EXCLUDED.reason, at = EXCLUDED.at;
  RETURN NULL;
END $$;
CREATE TRIGGER sends_run_ended AFTER UPDATE OF state ON sends FOR EACH ROW
  WHEN (NEW.kind = 'o' AND NEW.want IS NOT NULL AND NEW.state IN ('sent', 'failed', 'unknown', 'skipped') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION note_ended_send();
CREATE TRIGGER sends_run_created_ended AFTER INSERT ON sends FOR EACH ROW
  WHEN (NEW.kind = 'o' AND NEW.want IS NOT NULL AND NEW.state IN ('sent', 'failed', 'unknown', 'skipped'))
  EXECUTE FUNCTION note_ended_send();

-- Questions of runs: which criteria of their version the contact fits, by pointer, and what else a delay needs.
CREATE TABLE orchestration_questions (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  version int NOT NULL,
  contact bigint NOT NULL,
  criteria text[] NOT NULL,
  wants_zone boolean NOT NULL,
  field text,
  asked_at bigint NOT NULL,
  PRIMARY KEY (account, id)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX orchestration_questions_asked ON orchestration_questions (asked_at);
CREATE INDEX orchestration_questions_contact ON orchestration_questions (account, contact);

-- Calls and writes that runs want, one try each. `delivery` is the same for all tries of a call. Nobody else takes one before `claimed_until`.
CREATE TABLE orchestration_tasks (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('call', 'write')),
  run text COLLATE "C" NOT NULL,
  node text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  delivery text COLLATE "C",
  wanted_at bigint NOT NULL,
  claimed_until bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account, id)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX orchestration_tasks_wanted ON orchestration_tasks (wanted_at);
CREATE INDEX orchestration_tasks_contact ON orchestration_tasks (account, contact);

-- Goals that runs reached, once each.
CREATE TABLE orchestration_goals (
  account int NOT NULL,
  run text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  is_holdout boolean NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (account, run, name)
);
CREATE INDEX orchestration_goals_orchestration ON orchestration_goals (account, orchestration, name);

-- How often contacts did not enter, by reason.
CREATE TABLE orchestration_refusals (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (account, orchestration, reason)
);

-- Orders that started a run, or were refused: each is decided once.
CREATE TABLE orchestration_orders (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  order_id text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  PRIMARY KEY (account, orchestration, order_id)
);
CREATE INDEX orchestration_orders_contact ON orchestration_orders (account, contact);

-- Carts that start a run unless they change before `due_at`. `fact` is JSON text.
CREATE TABLE orchestration_carts (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  fact text NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (account, orchestration, contact)
);
CREATE INDEX orchestration_carts_due ON orchestration_carts (due_at);
CREATE INDEX orchestration_carts_contact ON orchestration_carts (account, contact);

-- Audiences that start runs, and the instant of the last count: who is in it at the next one and was not then enters.
CREATE TABLE orchestration_audiences (
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  audience text COLLATE "C" NOT NULL,
  counted_at bigint NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (account, orchestration)
);
CREATE INDEX orchestration_audiences_due ON orchestration_audiences (due_at);

-- What is to be done with many runs of an orchestration, some at a time in the order of their ids: they go on after it was enabled (`wake`), are
-- moved to a version (`migrate`), or end with it (`delete`).
CREATE TABLE orchestration_sweeps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account int NOT NULL,
  orchestration text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('wake', 'migrate', 'delete')),
  version int,
  cursor text COLLATE "C" NOT NULL DEFAULT ''
);
