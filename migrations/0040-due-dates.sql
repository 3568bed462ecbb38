-- The day by which a document is to be paid can be agreed anew after it was issued; the audit log
-- keeps who did. Everything else stays as before.
create or replace function books.check_document_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'documents are never deleted' using errcode = 'restrict_violation';
  end if;
  if old.voided_at is not null then
    raise exception 'document % is void and stays so', old.id
      using errcode = 'restrict_violation';
  end if;
  if old.posted_at is not null and (
    old.kind, old.number, old.contact_id, old.date, old.currency, old.fx_rate,
    old.subtotal_minor, old.tax_total_minor, old.total_minor, old.posted_at, old.snapshot,
    old.credits_document_id
  ) is distinct from (
    new.kind, new.number, new.contact_id, new.date, new.currency, new.fx_rate,
    new.subtotal_minor, new.tax_total_minor, new.total_minor, new.posted_at, new.snapshot,
    new.credits_document_id
  ) then
    raise exception 'document % is in the books and keeps its money', old.id
      using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
