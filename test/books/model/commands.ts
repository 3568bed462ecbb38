// What can be done with the books, each on something that the dice choose among what it fits.
// Documents first, and documents and payments more often than the rest, which needs them.
import type { Command } from './command.ts'
import { otherCommands } from './other-commands.ts'
import { settlingCommands } from './settling-commands.ts'

const { create, pay, deposit, allocate, release, remove, refund, writeOff } = settlingCommands
const { discard, revalue, journal, changeRates, linkPayment, linkRefund, payout, attempt } =
  otherCommands

export const commands: readonly Command[] = [
  ...[
    create,
    create,
    create,
    create,
    pay,
    pay,
    pay,
    pay,
    pay,
    deposit,
    allocate,
    allocate,
    release,
    release,
  ],
  ...[
    remove,
    create,
    pay,
    refund,
    refund,
    writeOff,
    writeOff,
    discard,
    revalue,
    journal,
    changeRates,
  ],
  ...[linkPayment, linkPayment, linkRefund, linkRefund, payout, attempt, attempt],
]
