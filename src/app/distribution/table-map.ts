// Where each table is kept when the database is distributed over several servers with Citus:
//   by business: split by the business, so that all rows of a business are on one server;
//   by shard: queues that belong to no single business, split by their own number;
//   reference: copied to every server, since tables of each business refer to it;
//   local: only on the coordinator.
// A new table needs a line here. `test/app/distribution` compares the map with the migrated schema.

export type Placement =
  | { readonly kind: 'business' | 'shard'; readonly column: string; readonly with: string }
  | { readonly kind: 'reference' | 'local' }

// The first table of each group. The others are kept beside it, row by row.
const businesses = 'kernel.businesses'
const jobs = 'kernel.jobs'

const byBusiness: Readonly<Record<string, readonly string[]>> = {
  kernel: [
    ...['api_keys', 'api_requests', 'audit_chains', 'audit_log', 'brands', 'events'],
    ...['idempotency_keys', 'invitations', 'ledger_checkpoints', 'ledger_entries', 'ledger_lines'],
    ...['ledger_tail', 'logos', 'memberships', 'notices', 'notification_choices'],
    'shown_notices',
    // Not by its shard: a delivery is claimed and finished beside its event.
    ...['webhook_attempts', 'webhook_deliveries', 'webhook_endpoints', 'webhook_queue'],
  ],
  merchant: [
    ...['approval_thresholds', 'approvals', 'beneficial_owners', 'breaks', 'chargeback_notes'],
    ...['chargebacks', 'customer_names', 'fee_schedules', 'payer_mails', 'payment_items'],
    ...['payment_link_items', 'payment_links', 'payments', 'payouts'],
    ...['plans', 'profiles', 'qr_codes', 'refunds', 'schedule_charges'],
    ...['settlement_account_requests', 'settlement_accounts', 'split_recipients'],
    ...['subscriber_pages', 'subscription_periods', 'subscriptions'],
    ...['verification_details', 'verification_document_contents', 'verification_documents'],
    ...['unmatched_charges', 'verification_sessions'],
  ],
  books: [
    ...['account_days', 'account_months', 'accounts', 'allocations', 'approval_limits'],
    ...['attachment_contents', 'attachments', 'batch_documents', 'batches', 'contacts'],
    ...['document_files', 'document_lines', 'documents', 'due_date_changes', 'exchange_rates'],
    ...['import_objects', 'imports', 'invoice_charges', 'invoice_pages', 'items'],
    ...['journal_entries', 'journal_heads', 'journal_lines', 'leads', 'number_counters'],
    ...['journal_templates', 'monthly_statements'],
    ...['number_series', 'offer_invoices', 'open_items', 'organisations', 'payments', 'quotes'],
    ...['recurring_periods', 'recurring_schedules'],
    ...['refund_releases', 'reminder_settings', 'reminder_stops', 'reminders'],
    ...['service_movements', 'service_settings', 'statement_settings', 'statement_stops'],
    'tax_codes',
  ],
}

const byShard = ['kernel.mails', 'kernel.mail_attachments']

// Read by calls of every business.
const reference = [
  ...['kernel.people', 'merchant.default_thresholds', 'merchant.live_provider'],
  'merchant.pauses',
]

const local: Readonly<Record<string, readonly string[]>> = {
  kernel: [
    ...['credentials', 'detached_objects', 'form_submissions', 'migrations', 'passkeys'],
    ...['people_secrets', 'person_links', 'processes', 'schedules', 'secrets_canary', 'sessions'],
    ...['sign_in_attempts', 'spent_challenges', 'two_factors', 'verifications'],
  ],
  // A provider's message names no business.
  merchant: ['provider_messages'],
  simulator: [
    ...['charge_events', 'chargebacks', 'charges', 'checkouts', 'effects', 'identity_checks'],
    ...['refunds', 'review_documents', 'reviews', 'rules', 'settlements', 'steps', 'subaccounts'],
    ...['transfers', 'wallets', 'webhooks', 'worlds'],
  ],
}

// In the order in which they are distributed: the first table of a group comes before the others.
export const tableMap: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ...reference.map((table) => placed(table, { kind: 'reference' })),
  placed(businesses, { kind: 'business', column: 'id', with: businesses }),
  ...namesOf(byBusiness).map((table) =>
    placed(table, { kind: 'business', column: 'business_id', with: businesses }),
  ),
  ...[jobs, ...byShard].map((table) =>
    placed(table, { kind: 'shard', column: 'shard', with: jobs }),
  ),
  ...namesOf(local).map((table) => placed(table, { kind: 'local' })),
])

function placed(table: string, placement: Placement): [string, Placement] {
  return [table, placement]
}

function namesOf(bySchema: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(bySchema).flatMap(([schema, names]) =>
    names.map((name) => `${schema}.${name}`),
  )
}
