// What the first start on a new database does in addition, and how a person gets into the demo.
// Returns the lines to show at the terminal. It runs again if the process was killed before it
// finished.
import type { Settings } from '../config.ts'
import { listBusinesses } from '../kernel/auth/business-store.ts'
import { createPeople } from '../kernel/auth/people.ts'
import { signInLinkMinutes } from '../kernel/auth/sign-in-link.ts'
import type { ServiceContext } from '../kernel/operations/service-context.ts'
import { createDemo, describeDemo } from './demo.ts'

export async function firstStart(context: ServiceContext, settings: Settings): Promise<string[]> {
  if (!settings.demo) return []
  if ((await listBusinesses(context.database.sql)).length > 0) return []
  const people = await createPeople(context, context)
  const demo = await createDemo(context, people, { withSample: settings.sampleData })
  return [
    'A demo business was created for you. Its keys and passwords are shown only once;',
    '`npm run demo` creates another one.',
    '',
    ...(await describeDemo(demo, process.stdout.isTTY === true)),
  ]
}

// At every start of a demo on this machine, so that its password need not be kept.
export async function signInLines(context: ServiceContext, settings: Settings): Promise<string[]> {
  if (!settings.demo || settings.role === 'worker') return []
  const { signInLinks } = await createPeople(context, context)
  const link = await signInLinks.issue()
  if (link === undefined) return []
  const terms = `It works once, within ${signInLinkMinutes} minutes:`
  return [`Open this link to sign in as the owner of the demo business. ${terms}`, `  ${link}`, '']
}
