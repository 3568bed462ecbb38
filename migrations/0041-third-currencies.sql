-- A payment in one currency may come onto an account that is kept in another, when neither is the
-- base currency of the books, or only the payment is in that.

alter table books.payments
  -- What came in or left there; null where the account is kept in the currency of the payment or in
  -- the base currency.
  add column account_currency text check (account_currency ~ '^[A-Z]{3}$'),
  add column account_amount_minor bigint check (account_amount_minor > 0),
  add check ((account_currency is null) = (account_amount_minor is null));
