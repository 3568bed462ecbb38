// A sleep that can be cut short. A ring while no one sleeps is remembered. Otherwise, work queued
// during a look would wait until the next one.
export type Alarm = { ring(): void; sleep(milliseconds: number): Promise<void> }

export function createAlarm(): Alarm {
  let rung = false
  let wakeUp: (() => void) | null = null
  return {
    ring() {
      rung = true
      wakeUp?.()
    },
    async sleep(milliseconds) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wakeUp = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wakeUp = null
      }
      rung = false
    },
  }
}
