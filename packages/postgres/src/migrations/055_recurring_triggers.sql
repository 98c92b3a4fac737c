-- Recurring triggers of templates. `audience_key`, or `criteria` as they were sent (JSON text) with the ids of the lists that they name by
-- name (`lists`, JSON text), say whom each run goes to. `next_at` is the next tick; null while the trigger does not listen.
-- Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE recurring_triggers (
  account int NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  cron text NOT NULL,
  timezone text COLLATE "C" NOT NULL,
  audience_key text COLLATE "C",
  criteria text,
  lists text,
  next_at bigint,
  PRIMARY KEY (account, mdt_id)
);
CREATE INDEX recurring_triggers_due ON recurring_triggers (next_at) WHERE next_at IS NOT NULL;

-- Runs of recurring triggers, one for a tick. `id` names the chunks of its audience and the want of its sends, `message` is the day or hour
-- of the template that its sends belong to. It has ended when each contact of its audience has a row in `sends`.
CREATE TABLE template_runs (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  tick_at bigint NOT NULL,
  message text COLLATE "C" NOT NULL,
  job text COLLATE "C" NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint,
  PRIMARY KEY (account, id),
  UNIQUE (account, mdt_id, tick_at)
);
CREATE INDEX template_runs_open ON template_runs (account, mdt_id) WHERE ended_at IS NULL;
CREATE INDEX template_runs_ended ON template_runs (ended_at) WHERE ended_at IS NOT NULL;
