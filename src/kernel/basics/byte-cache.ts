// Caches expensive results, up to a number of bytes. The least recently used goes first: a Map
// keeps its keys in the order in which they were set, and a key that is used is set again.
export type ByteCache = {
  get(key: string): Uint8Array | undefined
  set(key: string, bytes: Uint8Array): void
}

export function createByteCache(bytesMax: number): ByteCache {
  const kept = new Map<string, Uint8Array>()
  let total = 0
  function drop(key: string): void {
    total -= kept.get(key)?.byteLength ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const bytes = kept.get(key)
      if (!bytes) return undefined
      kept.delete(key)
      kept.set(key, bytes)
      return bytes
    },
    set(key, bytes) {
      drop(key)
      if (bytes.byteLength > bytesMax) return
      kept.set(key, bytes)
      total += bytes.byteLength
      for (const oldest of kept.keys()) {
        if (total <= bytesMax) return
        drop(oldest)
      }
    },
  }
}
