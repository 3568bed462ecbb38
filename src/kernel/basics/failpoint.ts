// Named places at which a test can kill the process, so that recovery is tested at every step that
// moves money. Without the setting FAILPOINT, a failpoint does nothing.
import { readFileSync, writeSync } from 'node:fs'

// Names are literals of the form `area.step` and say what was done last, such as `charge.reserved`.
// Each is used in one place. The crash sweep fails if no operation reaches one.
export type Failpoint = (name: string) => void

// Kills the process when the name is reached for the given time, or only prints the names reached.
export type ArmedFailpoint = 'trace' | { readonly name: string; readonly time: number }

// A file is read again at every failpoint, so that a test can arm a process that is already
// running.
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

// Written first, because nothing can be written after the kill.
function tell(name: string): void {
  writeSync(2, `failpoint ${name}\n`)
}

function armedBy(setting: FailpointSetting): ArmedFailpoint | undefined {
  if (setting === 'trace' || !('file' in setting)) return setting
  return parseArmed(readFileSync(setting.file, 'utf8').trim())
}

// `charge.reserved` (the first time), `charge.reserved:2` (the second time), `trace`, or `@` and
// the path of a file that contains one of these or nothing.
export function parseFailpoint(text: string): FailpointSetting | undefined {
  return /^@./.test(text) ? { file: text.slice(1) } : parseArmed(text)
}

function parseArmed(text: string): ArmedFailpoint | undefined {
  if (text === 'trace') return text
  const [, name, time = '1'] = /^([a-z-]+\.[a-z-]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  return name === undefined ? undefined : { name, time: Number.parseInt(time, 10) }
}
