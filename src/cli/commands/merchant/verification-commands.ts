// Verifies a business by hand, for installations without a configured verifier.
import { runOperation } from '../../../kernel/operations/run-operation.ts'
import {
  setKycStatus,
  decidedKycStatuses as statuses,
} from '../../../merchant/verification/set-kyc-status.ts'
import { findMeantBusiness, systemActor } from '../../core/choose-business.ts'
import {
  businessUsage,
  type Command,
  jsonUsage,
  lineOption,
  print,
  printJson,
  UsageError,
} from '../../core/command.ts'

const reasonMax = 500

export const verifyBusiness: Command = {
  name: 'businesses verify',
  summary: 'Set the verification status of a business; live keys of a verified one can move money',
  usage: [
    businessUsage,
    `--status STATUS        ${statuses.join(', ')} (default: verified)`,
    '--reason TEXT          the evidence, for the audit log',
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
    const actor = systemActor('cli businesses verify', { businessId, environment: 'live' })
    const wanted = options.status ?? 'verified'
    const status = statuses.find((known) => known === wanted)
    if (!status) throw new UsageError(`--status must be one of ${statuses.join(', ')}`)
    const reason = lineOption(options, 'reason', reasonMax)
    const { before } = await runOperation(setKycStatus, context, actor, { status, reason })
    if (options.json) printJson({ business_id: businessId, before, kyc_status: status })
    else print(`${name} is now ${status} (was ${before}).`)
    return 0
  },
}
