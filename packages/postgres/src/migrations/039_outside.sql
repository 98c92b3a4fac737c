-- The host key that each SFTP server showed an account at first, as its fingerprint.
CREATE TABLE sftp_host_keys (
  account int NOT NULL,
  server text COLLATE "C" NOT NULL,
  port int NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  PRIMARY KEY (account, server, port)
);

-- Secrets that the request of a job gave, sealed. They go when the job ends.
ALTER TABLE jobs ADD COLUMN secrets text;

-- Who is told of a job's end, and where, sealed. `next_at` is null until the job has ended; the row goes when it was told.
CREATE TABLE job_notices (
  job text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('webhook', 'email')),
  account int NOT NULL,
  target text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  next_at bigint,
  PRIMARY KEY (job, kind)
);
CREATE INDEX job_notices_due ON job_notices (next_at) WHERE next_at IS NOT NULL;
