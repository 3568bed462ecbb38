import type { Subject } from './command.ts'
import { merchant } from './commands/merchant.ts'
import { pages } from './commands/pages.ts'
import { payer } from './commands/payer.ts'
import { provider } from './commands/provider.ts'
import { time } from './commands/time.ts'

export const subjects: readonly Subject[] = [pages, payer, provider, merchant, time]
