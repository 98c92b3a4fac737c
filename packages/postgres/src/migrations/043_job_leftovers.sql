-- Exports that were canceled or have failed while a file was being written: what stands unfinished at the destination goes soon after.
-- `secrets` are those of the request, sealed; the row goes when it was removed or given up.
CREATE TABLE job_leftovers (
  job text COLLATE "C" PRIMARY KEY,
  account int NOT NULL,
  secrets text,
  attempts int NOT NULL DEFAULT 0,
  next_at bigint NOT NULL
);
CREATE INDEX job_leftovers_due ON job_leftovers (next_at);
