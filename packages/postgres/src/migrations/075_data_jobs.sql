-- Data jobs. `source`, `mapping` and `destination` are JSON text; secrets of source and destination are sealed. `next_at` is the next tick of
-- a recurring one that is enabled. Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE data_jobs (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  da_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('oneTime', 'recurring')),
  cron text,
  timezone text COLLATE "C",
  api_trigger boolean NOT NULL,
  source text,
  mapping text NOT NULL,
  target_type text NOT NULL CHECK (target_type IN ('contacts', 'activities', 'orders', 'products', 'supplement', 'export')),
  target_key text,
  destination text,
  enabled boolean NOT NULL,
  next_at bigint,
  last_run_marker text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, key),
  UNIQUE (account, da_id)
);
CREATE INDEX data_jobs_created ON data_jobs (account, created_at, key);
CREATE INDEX data_jobs_due ON data_jobs (next_at) WHERE next_at IS NOT NULL;

-- Runs of data jobs, each with the job that does it: what became of it is in `jobs`, and goes when that goes.
CREATE TABLE data_job_runs (
  account int NOT NULL,
  da_id text COLLATE "C" NOT NULL,
  marker text COLLATE "C" NOT NULL,
  job text COLLATE "C" NOT NULL,
  -- Null for a run that somebody triggered.
  tick_at bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (account, da_id, marker)
);
CREATE INDEX data_job_runs_latest ON data_job_runs (account, da_id, created_at, marker);
CREATE INDEX data_job_runs_job ON data_job_runs (job);

-- State of a run, by the status of its job.
CREATE FUNCTION data_job_run_status(job_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN job_status IN ('Scheduled', 'Pending') THEN 'pending'
    WHEN job_status IN ('Processing', 'Throttled') THEN 'processing'
    WHEN job_status = 'Done' THEN 'completed'
    WHEN job_status = 'Failed' THEN 'failed'
    WHEN job_status = 'Canceled' THEN 'cancelled'
    ELSE 'unknown'
  END
$$;

-- State of a data job: that of its latest run.
CREATE FUNCTION data_job_status(of_account int, of_job text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT COALESCE((
    SELECT data_job_run_status(j.status) FROM data_job_runs r LEFT JOIN jobs j ON j.id = r.job
      WHERE r.account = of_account AND r.da_id = of_job ORDER BY r.created_at DESC, r.marker DESC LIMIT 1
  ), 'draft')
$$;
