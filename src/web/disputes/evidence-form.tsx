// A person notes evidence about a dispute.
import { addDisputeNote } from '../../merchant/chargebacks/add-dispute-note.ts'
import { getDisputeStory } from '../../merchant/chargebacks/get-dispute-story.ts'
import { DraftTextArea } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import { disputesPath } from './dispute-text.tsx'

export const evidenceForm = defineForm({
  path: `${disputesPath}/:id/evidence`,
  operation: addDisputeNote,
  input: (visit, form) => ({ id: visit.param('id'), text: form.get('text') ?? '' }),
  async show(visit, draft) {
    const { dispute } = await visit.run(getDisputeStory, { id: visit.param('id') })
    return formPage({
      title: 'Note evidence',
      back: { href: visit.href(`${disputesPath}/${dispute.id}`), text: 'Dispute' },
      draft,
      submit: 'Save note',
      children: (
        <>
          <p>
            What shows that the payment of {dispute.payerName ?? dispute.payerEmail} was right?
            Everyone in your team can read the note. It can’t be changed later, and it is not sent
            to the provider.
          </p>
          <DraftTextArea
            draft={draft}
            name="text"
            label="Evidence"
            hint="For example: delivered on 3 May, signed by the payer, receipt in the order folder."
          />
        </>
      ),
    })
  },
  done: (visit) => ({
    location: visit.href(`${disputesPath}/${visit.param('id')}`),
    message: 'The note is saved.',
  }),
})
