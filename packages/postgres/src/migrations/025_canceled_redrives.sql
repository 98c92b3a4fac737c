-- A redrive that was cancelled takes no more letters; those it took are written, for some of them may be in the log.
ALTER TABLE redrives ADD COLUMN canceled_at bigint;
