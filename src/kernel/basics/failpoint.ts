// Named places at which a test can have the process killed, so that recovery is tried at every step
// and not only where a crash happened to be imagined. A service that was started without the
// setting FAILPOINT calls a function that does nothing.
import { readFileSync, writeSync } from 'node:fs'

// Names are literals, `area.step`: what was done last, such as `charge.reserved`. Each stands in
// one place only, and the crash sweep fails when none of its operations reaches it.
export type Failpoint = (name: string) => void

// Either dies when the name is reached for the given time, or only tells what is reached.
export type ArmedFailpoint = 'trace' | { readonly name: string; readonly time: number }

// From a file it is read anew at every place, so that a process can be prepared before it is armed.
export type FailpointSetting = ArmedFailpoint | { readonly file: string }

export function createFailpoint(setting?: FailpointSetting): Failpoint {
  if (setting === undefined) return () => undefined
  let latest: string | undefined
  let times = 0
  return (name) => {
    const armed = armedBy(setting)
    if (armed === 'trace') return tell(name)
    if (latest !== armed?.name) times = 0
    latest = armed?.name
    if (name !== armed?.name) return
    times += 1
    if (times !== armed.time) return
    tell(name)
    process.kill(process.pid, 'SIGKILL')
  }
}

// Written before the process dies, since nothing can be after.
function tell(name: string): void {
  writeSync(2, `failpoint ${name}\n`)
}

function armedBy(setting: FailpointSetting): ArmedFailpoint | undefined {
  if (setting === 'trace' || !('file' in setting)) return setting
  return parseArmed(readFileSync(setting.file, 'utf8').trim())
}

// `charge.reserved` for its first time, `charge.reserved:2` for its second, `trace`, or `@` and the
// path of a file that says one of these, or nothing.
export function parseFailpoint(text: string): FailpointSetting | undefined {
  return /^@./.test(text) ? { file: text.slice(1) } : parseArmed(text)
}

function parseArmed(text: string): ArmedFailpoint | undefined {
  if (text === 'trace') return text
  const [, name, time = '1'] = /^([a-z-]+\.[a-z-]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  return name === undefined ? undefined : { name, time: Number.parseInt(time, 10) }
}
