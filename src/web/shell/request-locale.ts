// The locale of the business of a request, for everything that is formatted while it is answered.
import { AsyncLocalStorage } from 'node:async_hooks'
import { readLocaleFrom } from '../components/locale.ts'

const ofRequest = new AsyncLocalStorage<string>()

readLocaleFrom(() => ofRequest.getStore())

export function inLocale<Result>(locale: string, run: () => Promise<Result>): Promise<Result> {
  return ofRequest.run(locale, run)
}
