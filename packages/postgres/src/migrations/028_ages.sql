-- What is kept for a time is found by its age. The bounds of a BRIN's pages never shrink: once pages of deleted rows are used again, old
-- and new rows share them, and each look for the old ones would read the whole table.
DROP INDEX intake.idempotency_age;
CREATE INDEX idempotency_age ON intake.idempotency (created_at);
DROP INDEX applied_records_age;
CREATE INDEX applied_records_age ON applied_records (applied_at);
DROP INDEX job_rejections_age;
CREATE INDEX job_rejections_age ON job_rejections (created_at);
CREATE INDEX receipt_counts_age ON receipt_counts (created_at);
