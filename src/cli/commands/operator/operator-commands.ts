import { invariants } from '../../../app/invariants.ts'
import { resealSecrets } from '../../../app/reseal-secrets.ts'
import { type Invariant, type Violation, violationsMax } from '../../../kernel/db/invariant.ts'
import { createDemo, describeDemo } from '../../../start/demo.ts'
import { prepareDatabase } from '../../../start/open-storage.ts'
import {
  type Command,
  type CommandOptions,
  type CommandWorld,
  isTerminal,
  jsonUsage,
  print,
  printJson,
  toJson,
} from '../../core/command.ts'

export const runMigrations: Command = {
  name: 'migrate',
  summary: 'Migrate the database to this version',
  usage: [],
  options: {},
  async run({ context }) {
    const applied = await prepareDatabase(context.database, context)
    for (const name of applied) print(`applied ${name}`)
    if (applied.length === 0) print('The database is up to date.')
    return 0
  },
}

export const verify: Command = {
  name: 'verify',
  summary: 'Check all invariants of the data; exit status 1 if one is violated',
  usage: [jsonUsage],
  options: { json: { type: 'boolean' } },
  run: ({ context }, options) => checkInvariants(context, invariants, options),
}

export async function checkInvariants(
  { database, clock }: CommandWorld['context'],
  wanted: readonly Invariant[],
  options: CommandOptions,
  isWanted: (violation: Violation) => boolean = () => true,
): Promise<number> {
  const results = []
  for (const { id, title, violations: find } of wanted) {
    const found = await find(database.sql, clock.now())
    // The list is cut at `violationsMax`. If it is full, violations of the chosen tenant may be
    // among those that were cut.
    const violations = found.length < violationsMax ? found.filter(isWanted) : found
    results.push({ id, title, violations })
    if (options.json) continue
    print(`${violations.length === 0 ? 'ok    ' : 'BROKEN'}  ${id}  ${title}`)
    for (const violation of violations) print(`        ${toJson(violation)}`)
  }
  if (options.json) printJson(results)
  return results.every(({ violations }) => violations.length === 0) ? 0 : 1
}

export const resealSecretsCommand: Command = {
  name: 'secrets reseal',
  summary:
    'Encrypt all secrets with the first key of SECRETS_KEY, so that you can remove the others',
  usage: [jsonUsage],
  options: { json: { type: 'boolean' } },
  async run({ context, people }, options) {
    const { version } = context.secrets
    // Opening it encrypts secrets that old versions stored through better-auth.
    await people()
    const columns = await resealSecrets(context.database, context.secrets)
    if (options.json) {
      printJson({ version, resealed: columns })
      return 0
    }
    for (const { column, count } of columns) print(`${String(count).padStart(8)}  ${column}`)
    print(`All secrets are encrypted with version ${version} of SECRETS_KEY. You can remove other`)
    print('versions now, if every process was started with this version first.')
    return 0
  },
}

export const makeDemo: Command = {
  name: 'demo',
  summary: 'Create another verified demo business, with keys and people',
  usage: [
    '--sample  fill it with payments and documents of 90 days; the service does so in the background',
    jsonUsage,
  ],
  options: { sample: { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ context, people }, options) {
    const withSample = options.sample === true
    const demo = await createDemo(context, await people(), { withSample })
    if (options.json) printJson(demo)
    else for (const line of await describeDemo(demo, isTerminal())) print(line)
    return 0
  },
}
