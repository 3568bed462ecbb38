// A person says which refund of the provider is ours, after asking the provider.
import { notFound } from '../../kernel/basics/fault.ts'
import { listDiscrepancies } from '../../merchant/discrepancies/list-discrepancies.ts'
import { decideRefund } from '../../merchant/refunds/decide-refund.ts'
import { entriesIn } from '../../merchant/refunds/unmatched-refunds.ts'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

export const unclearRefund = 'refund_unclear'

const none = 'none'

export const decideRefundForm = defineForm({
  path: '/refunds/:id/decide',
  operation: decideRefund,
  input(visit, form) {
    const chosen = form.get('entry') ?? ''
    return {
      id: visit.param('id'),
      decision:
        chosen === none
          ? { kind: 'none' as const, entries: form.getAll('seen') }
          : { kind: 'is' as const, entry: chosen },
      reason: (form.get('reason') ?? '').trim(),
    }
  },
  async show(visit, draft) {
    const entries = await readEntries(visit)
    return formPage({
      title: 'Decide an unclear refund',
      back: { href: visit.href('/discrepancies'), text: 'Discrepancies' },
      draft,
      submit: 'Decide',
      isDangerous: true,
      children: (
        <>
          <p>
            The provider’s list holds refunds of which one may be ours. Ask the provider first. If
            none of them is ours, a refund that was asked for directly has failed; one that was
            approved or that Tillbook started is sent again.
          </p>
          {entries.map((entry) => (
            <input key={entry} type="hidden" name="seen" value={entry} />
          ))}
          <DraftSelect
            draft={draft}
            name="entry"
            label="Our refund is"
            choices={{
              ...Object.fromEntries(entries.map((entry) => [entry, `Refund ${entry}`])),
              [none]: 'None of these',
            }}
          />
          <DraftText draft={draft} name="reason" label="What the provider said" />
        </>
      ),
    })
  },
  done: (visit) => ({
    location: visit.href('/discrepancies'),
    message: 'Decided. The refund is settled or ended within minutes.',
  }),
})

async function readEntries(visit: Visit): Promise<string[]> {
  const discrepancies = await visit.run(listDiscrepancies, {})
  const found = discrepancies.find(
    ({ cause, objectId }) => cause === unclearRefund && objectId === visit.param('id'),
  )
  if (!found) throw notFound('unclear refund')
  return [...entriesIn(found.detail)]
}
