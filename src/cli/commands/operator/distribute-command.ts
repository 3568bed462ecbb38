import {
  DistributionError,
  distribute,
  findReasonsAgainst,
} from '../../../app/distribution/distribute.ts'
import { countMigrations } from '../../../start/open-storage.ts'
import { type Command, jsonUsage, print, printJson } from '../../core/command.ts'

export const distributeDatabase: Command = {
  name: 'distribute',
  summary: 'Distribute the database over the workers of a Citus coordinator; can be repeated',
  usage: [
    '--check                only say what stands in the way; works on any database',
    jsonUsage,
  ],
  options: { check: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context: { database } }, options) {
    if (options.check === true) {
      const reasons = await findReasonsAgainst(database.sql, countMigrations())
      return report(reasons, options.json === true)
    }
    try {
      await distribute(database.sql, countMigrations(), options.json ? () => undefined : print)
    } catch (error) {
      if (!(error instanceof DistributionError)) throw error
      return report(error.reasons, options.json === true)
    }
    if (options.json) printJson({ distributed: true })
    else print('The database is distributed. Start the service.')
    return 0
  },
}

function report(reasons: readonly string[], asJson: boolean): number {
  if (asJson) printJson({ distributed: false, reasons })
  else if (reasons.length === 0) print('Nothing stands in the way.')
  else {
    print('The database was not changed. Before it can be distributed:')
    for (const reason of reasons) print(`- ${reason}`)
  }
  return reasons.length === 0 ? 0 : 1
}
