-- Mails that may have gone out by intents that Postgres lost, as a recovery found them in Kafka. `print` is a digest of the occasion and the
-- address: whoever is found again for the same occasion, under another number too, gets no second mail. The key is that of the send that
-- ended as unknown, which may be retried.
CREATE TABLE lost_intents (
  account int NOT NULL,
  print text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  n int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, print)
);
