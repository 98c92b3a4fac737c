-- Time at which bytes of an upload that is being received were counted last. All service processes count in the row, so an account has one
-- share of what is under way; a row that nobody has counted for a while belongs to a process that is gone.
ALTER TABLE uploads ADD COLUMN received_at timestamptz;
