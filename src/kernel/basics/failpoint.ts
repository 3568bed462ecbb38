// Named places at which a test can have the process killed, so that recovery is tried at every step
// and not only where a crash happened to be imagined. A service that was started without the
// setting FAILPOINT calls a function that does nothing.
import { writeSync } from 'node:fs'

// Names are literals, `area.step`: what was done last, such as `charge.reserved`. Each stands in
// one place only, and the crash sweep fails when none of its operations reaches it.
export type Failpoint = (name: string) => void

// Either dies when the name is reached for the given time, or only tells what is reached.
export type ArmedFailpoint = 'trace' | { readonly name: string; readonly time: number }

// The line on stderr is written before the process dies, since nothing can be after.
export function createFailpoint(armed?: ArmedFailpoint): Failpoint {
  if (armed === undefined) return () => undefined
  let times = 0
  return (name) => {
    if (armed === 'trace') {
      writeSync(2, `failpoint ${name}\n`)
      return
    }
    if (name !== armed.name) return
    times += 1
    if (times !== armed.time) return
    writeSync(2, `failpoint ${name}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}

// `charge.reserved` for its first time, `charge.reserved:2` for its second, or `trace`.
export function parseFailpoint(text: string): ArmedFailpoint | undefined {
  if (text === 'trace') return text
  const [, name, time = '1'] = /^([a-z-]+\.[a-z-]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  return name === undefined ? undefined : { name, time: Number.parseInt(time, 10) }
}
