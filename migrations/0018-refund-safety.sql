-- What the provider's list of refunds held before a refund was sent, and was none of ours: none of
-- it is taken for this refund later. Null until it was sent, and for those sent earlier.
--
-- And the threshold that let a refund go without a second person. What was in force for earlier
-- ones is not known; all of a payment is the most that could be refunded of it.

alter table merchant.refunds
  add column listed_before text[],
  add column threshold_minor bigint check (threshold_minor >= 0);

update merchant.refunds as refund
set threshold_minor = payment.amount_minor
from merchant.payments as payment
where refund.cause = 'requested'
  and refund.approval_id is null
  and refund.environment = 'live'
  and payment.business_id = refund.business_id
  and payment.environment = refund.environment
  and payment.id = refund.payment_id;
