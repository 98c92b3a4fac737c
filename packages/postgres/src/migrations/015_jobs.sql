-- What /v2 shows of a job, and what it needs to go on after a kill. Who runs it when is the queue library's (schema job_queue).
-- `attempt` is the fence: it grows each time a worker takes the job, and a step that was begun under another one writes nothing.
-- `begun_in_vain`: how often it was taken since its last step came through.
CREATE TABLE jobs (
  id text COLLATE "C" PRIMARY KEY,
  account int NOT NULL,
  name text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'Pending'
    CHECK (status IN ('Scheduled', 'Pending', 'Processing', 'Throttled', 'Done', 'Failed', 'Canceled')),
  input json NOT NULL,
  progress json,
  total_items bigint NOT NULL,
  completed_items bigint NOT NULL DEFAULT 0,
  result json NOT NULL DEFAULT '{}',
  metadata json NOT NULL DEFAULT '{}',
  statistic json,
  attempt int NOT NULL DEFAULT 0,
  begun_in_vain int NOT NULL DEFAULT 0,
  made_by text NOT NULL,
  created_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint
) WITH (fillfactor = 50);
CREATE INDEX jobs_account ON jobs (account, created_at, id);
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;

-- Rows of a source that were refused; `index` is the row's place in it, `record` the row as it was read.
CREATE TABLE job_rejections (
  job text COLLATE "C" NOT NULL,
  index bigint NOT NULL,
  account int NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  path text,
  record json,
  created_at bigint NOT NULL,
  PRIMARY KEY (job, index)
);
CREATE INDEX job_rejections_age ON job_rejections USING brin (created_at);
