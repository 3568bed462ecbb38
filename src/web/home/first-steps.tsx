// What a new business does first, instead of empty lists.
import { Card } from '../../kernel/web/components.tsx'
import type { Visit } from '../shell/visit.ts'

export type Progress = {
  readonly isVerified: boolean
  readonly hasBankAccount: boolean
  readonly hasKeys: boolean
}

export function FirstSteps({ visit, progress }: { visit: Visit; progress: Progress }) {
  const steps: readonly [done: boolean, text: string, path: string][] = [
    [progress.isVerified, 'Get your business verified', '/settings/business'],
    [progress.hasBankAccount, 'Set the bank account for payouts', '/payouts/bank-account'],
    [false, 'Create your first payment link', '/payment-links/new'],
    [false, 'Bring your accounts, contacts and balances', '/settings/imports'],
    [false, 'Create your first invoice', '/invoices/new'],
    [progress.hasKeys, 'Create an API key for your own systems', '/developers/keys/new'],
    [
      false,
      'Set a daily limit for payouts that a second person approves',
      '/settings/thresholds/new',
    ],
  ]
  return (
    <Card title="First steps">
      <ol class="step-checks">
        {steps.map(([isDone, text, path]) => (
          <li key={path} class={isDone ? 'is-done' : ''}>
            {isDone ? <span>{text} (done)</span> : <a href={visit.href(path)}>{text}</a>}
          </li>
        ))}
      </ol>
    </Card>
  )
}
