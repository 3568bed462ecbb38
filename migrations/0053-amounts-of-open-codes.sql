-- An open code may have an amount: the suggestion that its payer can change.
alter table merchant.qr_codes
  drop constraint qr_codes_check;

alter table merchant.qr_codes
  add constraint qr_codes_fixed_amount
  check (mode <> 'fixed_amount' or amount_minor is not null);
