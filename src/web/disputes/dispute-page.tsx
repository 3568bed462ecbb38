// One dispute: what to do by when, what it does to the money, the evidence that people noted, and
// everything that happened.
import type { NamedAct } from '../../kernel/auth/name-actors.ts'
import { Alert, Card, type Tone } from '../../kernel/web/components.tsx'
import { addDisputeNote } from '../../merchant/chargebacks/add-dispute-note.ts'
import type { DisputePhase } from '../../merchant/chargebacks/chargeback.ts'
import type { DisputeNote } from '../../merchant/chargebacks/dispute.ts'
import { type DisputeStory, getDisputeStory } from '../../merchant/chargebacks/get-dispute-story.ts'
import { actorText, actTitle } from '../components/act-text.ts'
import { Facts } from '../components/facts.tsx'
import { LedgerLines } from '../components/ledger-lines.tsx'
import { Moment } from '../components/moment.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Status } from '../components/status.tsx'
import { type Happening, Timeline } from '../components/timeline.tsx'
import { CustomerLink } from '../customers/customer-link.tsx'
import { definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'
import { Due, disputesPath, timeLeft } from './dispute-text.tsx'

export const disputePages = definePage({
  path: `${disputesPath}/:id`,
  operation: getDisputeStory,
  async show(visit) {
    const story = await visit.run(getDisputeStory, { id: visit.param('id') })
    const { dispute, phase } = story
    return {
      title: `Dispute of ${dispute.payerEmail}`,
      content: (
        <>
          <PageHeader
            back={{ href: visit.href(disputesPath), text: 'Disputes' }}
            title={
              <>
                <Money minor={dispute.amountMinor} currency={dispute.currency} />{' '}
                <Status of={phase} />
              </>
            }
            lead={dispute.payerName ?? dispute.payerEmail}
            actions={
              visit.may(addDisputeNote) && (
                <a class="btn" href={visit.href(`${disputesPath}/${dispute.id}/evidence`)}>
                  Note evidence
                </a>
              )
            }
          />
          <div class="stack">
            <WhatToDo visit={visit} story={story} />
            <div class="split">
              <div class="stack">
                <Details visit={visit} story={story} />
                <Evidence visit={visit} story={story} />
              </div>
              <Card title="Timeline">
                <Timeline happenings={happenings(story)} zone={visit.zone} />
              </Card>
            </div>
            <LedgerLines lines={story.lines} zone={visit.zone} />
          </div>
        </>
      ),
    }
  },
})

const tones: Readonly<Record<DisputePhase, Tone>> = {
  needs_answer: 'unsure',
  under_review: 'plain',
  won: 'good',
  lost: 'bad',
}

type StoryProps = { visit: Visit; story: DisputeStory }

// The money is final only when the bank has decided, and even then it can change once more.
function WhatToDo({ visit, story: { dispute, phase, isTakenAgain } }: StoryProps) {
  const amount = <Money minor={dispute.amountMinor} currency={dispute.currency} />
  const now = visit.context.clock.now()
  const { dueAt } = dispute
  if (isTakenAgain) {
    return (
      <Alert tone="bad">
        <strong>Ask your payment provider about this dispute.</strong> It was won and {amount} came
        back, but the provider now says that it is not won. Your balance still holds the money, so
        it may be too high. Record the answer under{' '}
        <a href={visit.href('/discrepancies')}>Discrepancies</a>.
      </Alert>
    )
  }
  if (phase === 'needs_answer') {
    return (
      <Alert tone={tones[phase]}>
        <strong>
          Answer in your payment provider’s dashboard
          {dueAt ? (
            <>
              {' '}
              until <Moment at={dueAt} zone={visit.zone} /> ({timeLeft(dueAt, now)})
            </>
          ) : (
            ' as soon as you can: the provider told no due date'
          )}
          .
        </strong>{' '}
        Accept the dispute, or decline it with evidence: a receipt, a proof of delivery, messages
        with the payer. Without an answer you lose it. The provider took {amount} for now; it comes
        back if you win.
      </Alert>
    )
  }
  if (phase === 'under_review') {
    return (
      <Alert tone={tones[phase]}>
        <strong>The bank decides; you have nothing to do.</strong>{' '}
        {dispute.isContested
          ? 'Your answer is with the provider.'
          : 'The time to answer has passed, and the provider reports no answer.'}{' '}
        {amount} stays taken until then. It comes back if you win. This can take weeks.
      </Alert>
    )
  }
  return (
    <Alert tone={tones[phase]}>
      {phase === 'won' ? (
        <>
          <strong>You won.</strong> {amount} came back to your balance.
        </>
      ) : (
        <>
          <strong>You lost.</strong> The {amount} that the provider took stays with the payer. If
          the bank changes its decision, the money comes back and this page says so.
        </>
      )}
    </Alert>
  )
}

function Details({ visit, story: { dispute, phase, payment } }: StoryProps) {
  const money = (minor: bigint) => <Money minor={minor} currency={dispute.currency} />
  const restMinor = dispute.amountMinor - dispute.merchantMinor
  const { zone, context } = visit
  return (
    <Card title="Details">
      <Facts
        facts={[
          [
            'Payer',
            <CustomerLink visit={visit} email={dispute.payerEmail} name={dispute.payerName} />,
          ],
          [
            'Payment',
            <>
              <a href={visit.href(`/payments/${payment.id}`)}>
                <Money minor={payment.amountMinor} currency={payment.currency} />
              </a>{' '}
              of <Moment at={payment.createdAt} zone={zone} />
            </>,
          ],
          ['Reason given', dispute.reason ?? 'The provider gave none'],
          ['Answer until', <Due {...{ dispute, phase, zone }} now={context.clock.now()} />],
          ['Taken from your balance', money(dispute.merchantMinor)],
          restMinor > 0n && ['Taken from money not assigned to a payment', money(restMinor)],
          ['Opened', <Moment at={dispute.createdAt} zone={zone} />],
          dispute.status !== 'open' && ['Decided', <Moment at={dispute.updatedAt} zone={zone} />],
          ['Number at the provider', <code>{dispute.providerChargebackId}</code>],
        ]}
      />
    </Card>
  )
}

function Evidence({ visit, story: { notes, acts } }: StoryProps) {
  return (
    <Card title="Evidence noted">
      {notes.length === 0 ? (
        <p class="quiet mb-0">
          Nothing yet. Note what you have and where it is, so that the person who answers finds it.
          Notes stay here; they are not sent to the provider.
        </p>
      ) : (
        <ol class="note-list">
          {notes.map((note) => (
            <li key={note.id}>
              <p class="note-text">{note.text}</p>
              <p class="quiet mb-0">
                {authorOf(note, acts)}, <Moment at={note.createdAt} zone={visit.zone} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function authorOf(note: DisputeNote, acts: readonly NamedAct[]): string {
  const act = acts.find(({ detail }) => detail.noteId === note.id)
  return act ? actorText(act) : 'A person who has left'
}

function happenings({ dispute, acts, lines, payment }: DisputeStory): Happening[] {
  const booked = new Map(
    lines.map(({ entryId, kind, createdAt }) => [entryId, { kind, createdAt }]),
  )
  return [
    { at: payment.createdAt, title: 'Payment started' },
    ...(payment.succeededAt ? [{ at: payment.succeededAt, title: 'Paid' }] : []),
    ...acts.map((act) => ({
      at: act.at,
      title: actTitle(act),
      detail: act.actorKind === 'system' ? undefined : `By ${actorText(act)}`,
    })),
    ...[...booked.values()].map(({ kind, createdAt }) => ({
      at: createdAt,
      title: kind === 'chargeback.won' ? 'Money returned and booked' : 'Money taken and booked',
    })),
    ...(dispute.dueAt && dispute.status === 'open' && !dispute.isContested
      ? [{ at: dispute.dueAt, title: 'Last moment to answer' }]
      : []),
  ]
}
