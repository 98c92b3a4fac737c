-- A canceled import counts on until each of its rows that are in the log has its end.
ALTER TABLE jobs ADD COLUMN is_counting boolean NOT NULL DEFAULT false;
