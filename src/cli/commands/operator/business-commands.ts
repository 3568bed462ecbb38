import { createBusinessWithOwner } from '../../../app/create-business.ts'
import { listBusinesses } from '../../../kernel/access/businesses.ts'
import { currencyOption } from '../../core/amount-option.ts'
import {
  type Command,
  type CommandOptions,
  emailOption,
  jsonUsage,
  lineOption,
  print,
  printJson,
  requiredOption,
  UsageError,
} from '../../core/command.ts'
import { jsonCredentials, printCredentials } from '../people/credentials.ts'

export const showBusinesses: Command = {
  name: 'businesses',
  summary: 'List businesses',
  usage: [jsonUsage],
  options: { json: { type: 'boolean' } },
  async run({ context }, options) {
    const businesses = await listBusinesses(context)
    if (options.json) {
      printJson(businesses)
      return 0
    }
    for (const { id, name, isDemo } of businesses) print(`${id}  ${name}${isDemo ? ' (demo)' : ''}`)
    if (businesses.length === 0) print('None yet. Create one with `cli businesses create`.')
    return 0
  },
}

export const createNewBusiness: Command = {
  name: 'businesses create',
  summary: "Create a business and its owner; shows the owner's password once",
  usage: [
    '--name TEXT            the name of the business',
    '--country CODE         ISO 3166-1, for example NG',
    '--currency CODE        the base currency of its books, for example NGN',
    '--email ADDRESS        e-mail address of the business',
    '--phone TEXT           telephone number of the business (default: none)',
    '--owner-name TEXT      name of the owner',
    '--owner-email ADDRESS  address with which the owner signs in',
    jsonUsage,
  ],
  options: {
    name: { type: 'string' },
    country: { type: 'string' },
    currency: { type: 'string' },
    email: { type: 'string' },
    phone: { type: 'string' },
    'owner-name': { type: 'string' },
    'owner-email': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ context }, options) {
    const business = readBusiness(options)
    const owner = {
      name: lineOption(options, 'owner-name', 200),
      email: emailOption(options, 'owner-email'),
    }
    const by = 'cli businesses create'
    const { businessId, ...credentials } = await createBusinessWithOwner(
      context,
      by,
      business,
      owner,
    )
    if (options.json) {
      printJson({ businessId, owner: { email: owner.email, ...jsonCredentials(credentials) } })
      return 0
    }
    print(`Business     ${businessId}`)
    await printCredentials('owner', owner.email, credentials)
    print()
    print(
      'The business is not verified yet. Until you set a threshold, every live refund and payout',
    )
    print('needs an approval. `cli thresholds set` lets small ones through without,')
    print('and `cli people add` adds a person who can approve the others.')
    print(
      'We recommend two more limits: `cli thresholds set --operation daily_payouts` for the payouts',
    )
    print('of a day, and `--operation overdraft --amount 0` for refunds that overdraw the balance.')
    return 0
  },
}

export const showSetupCode: Command = {
  name: 'setup-code',
  summary: 'Show the one-time code with which a new server is set up in the browser',
  usage: [jsonUsage],
  options: { json: { type: 'boolean' } },
  async run({ context, people }, options) {
    if ((await listBusinesses(context)).length > 0) {
      throw new UsageError('This server is set up: it has a business. The code has ended.')
    }
    const { setUpCode: code } = await people()
    const url = `${context.publicUrl}/set-up`
    if (options.json) printJson({ code, url })
    else for (const line of [`Code     ${code}`, `Enter it at ${url}`]) print(line)
    return 0
  },
}

function readBusiness(options: CommandOptions) {
  const country = requiredOption(options, 'country')
  if (!/^[A-Z]{2}$/.test(country)) {
    throw new UsageError('--country must be two capital letters, for example NG')
  }
  const currency = currencyOption(options)
  return {
    name: lineOption(options, 'name', 200),
    country,
    baseCurrency: currency.code,
    contactEmail: emailOption(options, 'email'),
    contactPhone: options.phone === undefined ? null : lineOption(options, 'phone', 50),
  }
}
