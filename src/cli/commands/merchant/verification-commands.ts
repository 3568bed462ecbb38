// Verifying a business by hand. With a database of one's own nobody else does, until a verifier is
// configured.
import { isOneLine } from '../../../kernel/basics/one-line.ts'
import { setKycStatus } from '../../../merchant/verification/set-kyc-status.ts'
import { findMeantBusiness } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  jsonUsage,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'

const statuses = ['verified', 'rejected', 'unverified'] as const
const reasonMax = 500

export const verifyBusiness: Command = {
  name: 'businesses verify',
  summary: 'Decide by hand whether the live keys of a business may move money',
  usage: [
    businessUsage,
    `--status STATUS        ${statuses.join(', ')} (default: verified)`,
    '--reason TEXT          what it rests on, for the record',
    jsonUsage,
  ],
  options: {
    business: { type: 'string' },
    status: { type: 'string' },
    reason: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const { id: businessId, name } = await findMeantBusiness(context, options)
    const wanted = options.status ?? 'verified'
    const status = statuses.find((known) => known === wanted)
    if (!status) throw new UsageError(`--status must be one of ${statuses.join(', ')}`)
    const reason = requiredOption(options, 'reason')
    if ([...reason].length > reasonMax || !isOneLine(reason)) {
      throw new UsageError(`--reason must be one line of at most ${reasonMax} characters`)
    }
    const before = await context.database.transaction((tx) =>
      setKycStatus(tx, context, 'cli businesses verify', { businessId, status, reason }),
    )
    if (options.json) printJson({ business_id: businessId, before, kyc_status: status })
    else print(`${name} is ${status} now; it was ${before}.`)
    return 0
  },
}
