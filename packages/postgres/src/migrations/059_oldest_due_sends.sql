-- The send that has been due for the longest, by domain and transport: one look each. `sendDomain.ts` has the same expressions.
CREATE INDEX sends_oldest_due ON sends (
  (CASE WHEN channel <> 'email' THEN channel
    WHEN lower(split_part(address, '@', -1)) IN
      ('gmail.com', 'outlook.com', 'hotmail.com', 'yahoo.com', 'icloud.com', 'aol.com', 'gmx.de', 'web.de')
      THEN lower(split_part(address, '@', -1))
    ELSE 'other' END),
  (COALESCE(transport, '')),
  due_at
) WHERE state IN ('pending', 'deferred');
