// Polls wait for the provider, so several run at once and one that hangs delays only a few.
const pollsAtOnce = 5

// Stops early when the signal is aborted. The rest is due again in the next run.
export async function pollEach<Entry>(
  due: readonly Entry[],
  signal: AbortSignal,
  poll: (entry: Entry) => Promise<void>,
  onFailed: (entry: Entry, error: unknown) => void,
): Promise<void> {
  const next = due.values()
  const pollNext = async () => {
    for (const entry of next) {
      if (signal.aborted) return
      try {
        await poll(entry)
      } catch (error) {
        // It is polled again in the next run. The others must not wait for it.
        onFailed(entry, error)
      }
    }
  }
  await Promise.all(Array.from({ length: pollsAtOnce }, pollNext))
}
