// Looks wait for the provider, so several go at once; one provider that hangs holds up few.
const looksAtOnce = 5

// Ends early when the signal says so: what was left is due again at the next run.
export async function lookAtEach<Entry>(
  due: readonly Entry[],
  signal: AbortSignal,
  look: (entry: Entry) => Promise<void>,
  onFailed: (entry: Entry, error: unknown) => void,
): Promise<void> {
  const next = due.values()
  const lookOn = async () => {
    for (const entry of next) {
      if (signal.aborted) return
      try {
        await look(entry)
      } catch (error) {
        // The next look comes by itself, and the others must not wait for this one.
        onFailed(entry, error)
      }
    }
  }
  await Promise.all(Array.from({ length: looksAtOnce }, lookOn))
}
