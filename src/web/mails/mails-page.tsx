// The mails of the business: what was sent, waits, failed, or is only kept.

import { type MailKind, type MailState, mailKinds, mailStates } from '../../kernel/mail/mail.ts'
import { listMails, type MailPage } from '../../kernel/mailbox/list-mails.ts'
import { Alert, Badge } from '../../kernel/web/components.tsx'
import { FilterChips } from '../components/filter-chips.tsx'
import { Moment } from '../components/moment.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { SearchLine } from '../components/search-line.tsx'
import { EmptyState, Pager, Table } from '../components/table.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import {
  kindLabels,
  mailHref,
  mailsPath,
  stateLabels,
  stateReason,
  stateTones,
} from './mail-text.ts'

type Filters = {
  readonly state: MailState | undefined
  readonly kind: MailKind | undefined
  readonly q: string | undefined
}

export const mailsPages = definePage({
  path: mailsPath,
  operation: listMails,
  async show(visit) {
    const filters = filtersOf(visit)
    const { state, kind, q } = filters
    const before = visit.query.get('before') || undefined
    const page = await visit.run(listMails, { state, kind, recipient: q, before })
    return {
      title: 'Mails',
      content: (
        <>
          <PageHeader
            title="Mails"
            lead="To customers, payers and your team. Mails with a link to sign in or to join are not shown here."
            back={{ href: visit.href('/settings'), text: 'Settings' }}
          />
          {!page.isSending && (
            <div class="mb-3">
              <Alert tone="unsure">
                {visit.actor.environment === 'test'
                  ? 'The sandbox sends no mails. They are kept here instead.'
                  : 'This server has no mail server, so mails are kept here and not sent. The operator of the server sets one with SMTP_URL.'}
              </Alert>
            </div>
          )}
          <FilterChips
            label="State"
            chosen={state}
            choices={stateLabels}
            hrefOf={(choice) => visit.href(mailsPath, { ...filters, state: choice })}
          />
          <FilterChips
            label="Kind"
            chosen={kind}
            choices={kindLabels}
            hrefOf={(choice) => visit.href(mailsPath, { ...filters, kind: choice })}
            allLabel="Every kind"
          />
          <SearchLine
            label="Recipient"
            hint="Recipient’s address, or a part of it"
            value={q}
            kept={{ state, kind }}
          />
          <Mails visit={visit} page={page} filters={filters} isFirst={!before} />
        </>
      ),
    }
  },
})

function filtersOf({ query }: Visit): Filters {
  return {
    state: mailStates.find((state) => state === query.get('state')),
    kind: mailKinds.find((kind) => kind === query.get('kind')),
    q: query.get('q')?.trim() || undefined,
  }
}

type MailsProps = { visit: Visit; page: MailPage; filters: Filters; isFirst: boolean }

function Mails({ visit, page, filters, isFirst }: MailsProps) {
  const { mails, nextBefore, isSending } = page
  if (mails.length === 0) {
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    return isFiltered ? (
      <EmptyState
        title="No mails found"
        action={
          <a class="btn" href={visit.href(mailsPath)}>
            Show all mails
          </a>
        }
      >
        Try another filter or address.
      </EmptyState>
    ) : (
      <EmptyState title="No mails yet">
        Mails appear here as soon as you send an invoice or a quote, a payer pays, or your team is
        notified.
      </EmptyState>
    )
  }
  return (
    <>
      <Table
        caption="Mails"
        rows={mails}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => mailHref(visit, id)}
        columns={[
          { label: 'Subject', cell: ({ subject }) => subject },
          {
            label: 'To',
            cell: ({ recipients }) => <span class="break">{recipients.join(', ')}</span>,
          },
          { label: 'Kind', cell: ({ kind }) => kindLabels[kind] },
          {
            label: 'State',
            cell: (mail) => (
              <span>
                <Badge tone={stateTones[mail.state]}>{stateLabels[mail.state]}</Badge>
                {(mail.state !== 'kept' || isSending) && (
                  <span class="quiet d-block">{stateReason(mail, isSending)}</span>
                )}
              </span>
            ),
          },
          { label: 'When', cell: ({ createdAt }) => <Moment at={createdAt} zone={visit.zone} /> },
        ]}
      />
      <Pager
        firstHref={isFirst ? undefined : visit.href(mailsPath, filters)}
        nextHref={
          nextBefore ? visit.href(mailsPath, { ...filters, before: nextBefore }) : undefined
        }
      />
    </>
  )
}
