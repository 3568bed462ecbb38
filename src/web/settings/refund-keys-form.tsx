// Whether the API takes an Idempotency-Key on refunds.
import { Card } from '../../kernel/web/components.tsx'
import type { Account } from '../../merchant/business/business.ts'
import { getAccount } from '../../merchant/business/get-account.ts'
import { setRefundKeys } from '../../merchant/business/set-refund-keys.ts'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/settings/refund-keys'

export const refundKeysForm = defineForm({
  path,
  operation: setRefundKeys,
  isSensitive: true,
  // The form says what it changes to, so that two people who switch at once don't undo each other.
  input: (_visit, form) => ({ isOn: form.get('isOn') === 'yes' }),
  async show(visit, draft) {
    const { takesRefundKeys } = await visit.run(getAccount, {})
    return formPage({
      title: 'Idempotency keys of refunds',
      back: { href: visit.href('/settings'), text: 'Settings' },
      draft,
      submit: takesRefundKeys ? 'Switch off' : 'Switch on',
      isDangerous: takesRefundKeys,
      children: (
        <>
          <input type="hidden" name="isOn" value={takesRefundKeys ? 'no' : 'yes'} />
          {takesRefundKeys ? <SwitchOff /> : <SwitchOn />}
        </>
      ),
    })
  },
  done: (visit, { isOn }) => ({
    location: visit.href('/settings'),
    message: isOn ? 'Refunds now take idempotency keys.' : 'Refunds ignore idempotency keys again.',
  }),
})

export function RefundKeys({ visit, account }: { visit: Visit; account: Account }) {
  const { takesRefundKeys } = account
  return (
    <Card title="Idempotency keys of refunds">
      <p>
        {takesRefundKeys
          ? 'On. A repeated API request with the same Idempotency-Key gets the first refund and sends nothing.'
          : 'Off. The API ignores the Idempotency-Key of a refund: each request is a new refund.'}
      </p>
      {visit.may(setRefundKeys) && (
        <a class="btn" href={visit.href(path)}>
          {takesRefundKeys ? 'Switch off' : 'Switch on'}
        </a>
      )}
    </Card>
  )
}

function SwitchOn() {
  return (
    <p>
      A program that repeats a refund after a lost answer then gets the first refund as it is now,
      even if it failed, and no money moves twice. Keys have 8 to 64 characters and never expire.
      This applies to live and sandbox keys.
    </p>
  )
}

function SwitchOff() {
  return (
    <p>
      Each request is then a new refund, even with a key that was used before. Make sure that no
      program of yours repeats refunds and relies on its keys.
    </p>
  )
}
