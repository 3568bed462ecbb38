import type { Subject } from './command.ts'
import { merchant } from './commands/merchant.ts'
import { operator } from './commands/operator.ts'
import { pages } from './commands/pages.ts'
import { payer } from './commands/payer.ts'
import { payoutEndings } from './commands/payout-endings.ts'
import { payouts } from './commands/payouts.ts'
import { provider } from './commands/provider.ts'
import { recipients } from './commands/recipients.ts'
import { time } from './commands/time.ts'

export const subjects: readonly Subject[] = [
  pages,
  payer,
  provider,
  merchant,
  payouts,
  payoutEndings,
  recipients,
  operator,
  time,
]
