-- A deleted order stays as a row: its document says at which version, so that records below it do not bring the order back.
ALTER TABLE orders ADD COLUMN deleted bool NOT NULL DEFAULT false;
