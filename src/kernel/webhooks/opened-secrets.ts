// To open a secret takes as long as to sign with it ten times, and a worker opens the same ones
// again and again. What it has opened it keeps, by what was sealed: a secret that is rotated is
// sealed anew, and is opened anew.
import type { SenderContext } from './attempt-delivery.ts'

type Secrets = SenderContext['secrets']

const keptMax = 2000

export function keepOpened(secrets: Secrets): Secrets {
  const opened = new Map<string, Buffer>()
  return {
    open(sealed, row) {
      const name = `${row}/${sealed.toString('latin1')}`
      const known = opened.get(name)
      if (known) return known
      const secret = secrets.open(sealed, row)
      if (opened.size >= keptMax) opened.clear()
      opened.set(name, secret)
      return secret
    },
  }
}
